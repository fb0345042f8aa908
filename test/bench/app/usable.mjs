/**
 * The text of a script for a page: resolves with the time at which the first element of this kind is drawn and a click on its
 * middle would reach it.
 *
 * @param {string} selector
 */
export function waitUntilUsable(selector) {
  return `(${watch.toString()})(${JSON.stringify(selector)})`;
}

/**
 * Runs in the page.
 *
 * @param {string} selector
 * @returns {Promise<number>} epoch milliseconds
 */
function watch(selector) {
  return new Promise((resolve) => {
    const look = () => {
      const row = document.querySelector(selector);
      const box = row?.getBoundingClientRect();
      const hit = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      // One frame later it has been drawn.
      if (row && hit && row.contains(hit)) requestAnimationFrame(() => resolve(Date.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
}

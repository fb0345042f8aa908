import { expect, type Page } from '@playwright/test';
import { findLayoutProblems } from './layout-in-page.ts';

/**
 * Nothing wider than the window, no text cut off without its whole in a title, nothing to press smaller than 24 by 24 px,
 * one h1 and headings in order. A finding fails the test at its end, after every other look.
 */
export async function expectLayout(page: Page): Promise<void> {
  expect.soft(await page.evaluate(findLayoutProblems), 'problems of the layout').toEqual([]);
}

/** A dialog or a long list needs fewer presses than this to come round again. */
const MOST_STOPS = 80;

/**
 * Walks through the whole screen with Tab. Every stop must look different from the same thing without focus. Returns how
 * many stops there are. Faults: when Tab reaches nothing at all.
 */
export async function expectVisibleFocus(page: Page): Promise<number> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.getSelection()?.removeAllRanges();
    // The walk starts at the top, wherever the last click was.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const unseen: string[] = [];
  let stops = 0;
  for (; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(compareFocus);
    if (stop === null || stop.isKnown) break;
    if (!stop.isVisible) unseen.push(stop.name);
  }
  await page.evaluate(() =>
    document.querySelectorAll('[data-walked]').forEach((each) => each.removeAttribute('data-walked')),
  );
  expect(stops, 'things that Tab reaches').toBeGreaterThan(0);
  expect(unseen, 'things with focus that look as without').toEqual([]);
  return stops;
}

/** Runs in the page: looks at the focused element, takes its focus away, and looks again. The next Tab goes on from there. */
async function compareFocus(): Promise<{ name: string; isVisible: boolean; isKnown: boolean } | null> {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return null;
  const isKnown = element.dataset.walked !== undefined;
  element.dataset.walked = '';
  const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`) : null;
  // A ring may be drawn by the element, by what wraps it or by its label.
  const drawn = [
    element,
    element.parentElement,
    element.parentElement?.parentElement,
    element.nextElementSibling,
    label,
  ];
  const look = (): string =>
    drawn
      .flatMap((each) => {
        if (!each) return [];
        const style = getComputedStyle(each);
        const outline = style.outlineStyle === 'none' ? 'none' : `${style.outlineWidth} ${style.outlineColor}`;
        return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.textDecorationLine];
      })
      .join('|');
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
  await settle();
  const focused = look();
  element.blur();
  await settle();
  const plain = look();
  const name = `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.innerText ?? '').slice(0, 60)}"`;
  return { name, isVisible: focused !== plain, isKnown };
}

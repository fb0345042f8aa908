/* Runs inside the page, as one function without anything from outside. */

/** What is wrong with the layout of the page as it is shown now, one line each. */
export function findLayoutProblems(): string[] {
  const problems: string[] = [];
  const smallestTarget = 24;
  const tolerance = 1.5;

  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  /** Only for screen readers: cut to a pixel on purpose. */
  const isVisuallyHidden = (element: Element | null): boolean => {
    for (let each = element; each; each = each.parentElement) {
      const { width, height } = each.getBoundingClientRect();
      if (getComputedStyle(each).position === 'absolute' && width <= 1 && height <= 1) return true;
      if (getComputedStyle(each).clipPath === 'inset(50%)') return true;
    }
    return false;
  };
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    return `<${element.tagName.toLowerCase()} class="${(element.getAttribute('class') ?? '').slice(0, 60)}"> "${text.slice(0, 60)}"`;
  };

  function proveNoOverflow(): void {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return;
    const widest = [...document.querySelectorAll('body *')]
      .filter((element) => isShown(element) && element.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 5);
    problems.push(`the page is ${scrollWidth} px wide in ${clientWidth} px: ${widest.map(nameOf).join(', ')}`);
  }

  /** The first ancestor that cuts this rectangle off in a way that no scrolling can undo. */
  function cutter(start: Element, rect: DOMRect): Element | null {
    const open = { x: true, y: true };
    for (let each: Element | null = start; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.display === 'inline' || style.display === 'contents') continue;
      const box = each.getBoundingClientRect();
      const isCut = (value: string): boolean => value === 'hidden' || value === 'clip';
      const isOutX = rect.left < box.left - tolerance || rect.right > box.right + tolerance;
      const isOutY = rect.top < box.top - tolerance || rect.bottom > box.bottom + tolerance;
      if ((open.x && isCut(style.overflowX) && isOutX) || (open.y && isCut(style.overflowY) && isOutY)) return each;
      if (/auto|scroll/.test(style.overflowX)) open.x = false;
      if (/auto|scroll/.test(style.overflowY)) open.y = false;
      if (style.position === 'fixed') return null;
    }
    return null;
  }

  function proveTextWhole(): void {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const told = new Set<Element>();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.textContent?.trim() || !isShown(parent) || isVisuallyHidden(parent)) continue;
      if (parent.closest('script, style, [title], [aria-hidden="true"]')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width === 0 || rect.height === 0) continue;
      const cut = cutter(parent, rect);
      if (!cut || told.has(parent)) continue;
      told.add(parent);
      problems.push(`text is cut off without a title: ${nameOf(parent)} by ${nameOf(cut).slice(0, 80)}`);
    }
  }

  /** The part of a control that can be pressed: labels count for what they label. */
  function pressable(element: Element): { width: number; height: number } {
    const parts = [element, ...((element as HTMLInputElement).labels ?? [])].map((each) =>
      each.getBoundingClientRect(),
    );
    return {
      width: Math.max(...parts.map(({ width }) => width)),
      height: Math.max(...parts.map(({ height }) => height)),
    };
  }

  function proveTargets(): void {
    const roles = ['button', 'tab', 'menuitem', 'menuitemradio', 'option', 'checkbox', 'switch', 'radio', 'link'];
    const selector = ['a[href]', 'button', 'input:not([type="hidden"])', 'select', 'textarea', 'summary']
      .concat(roles.map((role) => `[role="${role}"]`))
      .join(',');
    for (const element of document.querySelectorAll(selector)) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const isLabelled = ((element as HTMLInputElement).labels?.length ?? 0) > 0;
      if (isVisuallyHidden(element) && !isLabelled) continue;
      // WCAG 2.5.8 exempts a link inside a sentence: its line decides how high it is.
      if (element.matches('a[href]') && getComputedStyle(element).display === 'inline' && element.closest('p'))
        continue;
      const { width, height } = pressable(element);
      if (width === 0 && height === 0) continue;
      if (width < smallestTarget - 0.5 || height < smallestTarget - 0.5) {
        problems.push(`smaller than 24 px: ${nameOf(element)} ${Math.round(width)} x ${Math.round(height)}`);
      }
    }
  }

  function proveHeadings(): void {
    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden="true"]'),
    );
    const levels = headings.map((element) => Number(element.tagName[1]));
    const firsts = levels.filter((level) => level === 1).length;
    if (firsts !== 1) problems.push(`there are ${firsts} h1`);
    levels.forEach((level, index) => {
      const before = levels[index - 1] ?? 0;
      const heading = headings[index];
      if (heading && level > before + 1) problems.push(`h${level} after h${before}: ${nameOf(heading)}`);
    });
  }

  proveNoOverflow();
  proveTextWhole();
  proveTargets();
  proveHeadings();
  return problems;
}

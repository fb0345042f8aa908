import type { KeyboardEvent } from 'react';

/** Where a letter is typed or means something else. */
const TYPING =
  'input:not([type="radio"]):not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

/**
 * Which decision a key press asks for: A approves, D denies. Only with the focus inside
 * the card itself (what a menu puts elsewhere on the page is not inside), without any
 * modifier, and for a press, not for a key that is held down.
 * Source: ux.md principle 4.
 */
export function decisionOfKey(event: KeyboardEvent<HTMLElement>): 'approve' | 'deny' | null {
  const { key, repeat, currentTarget, target } = event;
  if (repeat || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return null;
  if (event.nativeEvent.isComposing || event.defaultPrevented) return null;
  if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(TYPING)) return null;
  if (key.toLowerCase() === 'a') return 'approve';
  return key.toLowerCase() === 'd' ? 'deny' : null;
}

/** A held Enter or space bar presses a button again and again: only the first press counts. */
export function ignoreHeldKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

import { useEffect, useRef } from 'react';

/** Where a letter is text, or belongs to an open menu or dialog. */
const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [role="listbox"]';

/**
 * Single keys that work anywhere on the page, but never while a person types, never
 * with a modifier, never from a key that is held down.
 *
 * @param keys  lower-case key to what it does
 */
export function useSingleKeys(keys: Record<string, () => void>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      const name = event.key.toLowerCase();
      if (!Object.hasOwn(current.current, name)) return;
      event.preventDefault();
      current.current[name]?.();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

import { useEffect, useRef, type RefObject } from 'react';

/**
 * Keeps the focus in a part of the page whose content is replaced under it: what had
 * the focus is gone then, and the keys of the new content would work nowhere. A focus
 * that the person put elsewhere stays there.
 *
 * @param form  changes whenever the content is replaced by another form of it
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>, form: string): void {
  const wasInside = useRef(false);
  useEffect(() => {
    const onFocusIn = (event: FocusEvent): void => {
      wasInside.current = event.target instanceof Node && (part.current?.contains(event.target) ?? false);
    };
    document.addEventListener('focusin', onFocusIn);
    return () => document.removeEventListener('focusin', onFocusIn);
  }, [part]);
  useEffect(() => {
    const isLost = form !== '' && wasInside.current && document.activeElement === document.body;
    if (isLost) part.current?.querySelector('article')?.focus();
  }, [part, form]);
}

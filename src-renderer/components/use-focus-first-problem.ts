import { useEffect, type RefObject } from 'react';

/**
 * Puts the focus on the first field with a problem after a form was refused, once
 * for each refusal: mending one field must not pull the person on to the next.
 *
 * @param refusedTimes  how often the form was refused because of its fields
 */
export function useFocusFirstProblem(form: RefObject<HTMLFormElement | null>, refusedTimes: number): void {
  useEffect(() => {
    if (refusedTimes > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, refusedTimes]);
}

import type { TriggerClaims } from '../../../src-shared/trigger.ts';

let last: TriggerClaims['via'] = 'pointer';

if (typeof document !== 'undefined') {
  document.addEventListener('keydown', () => (last = 'keyboard'), { capture: true });
  document.addEventListener('pointerdown', () => (last = 'pointer'), { capture: true });
}

/** How the person used the page last, for what the page claims of a decision. */
export const lastInput = (): TriggerClaims['via'] => last;

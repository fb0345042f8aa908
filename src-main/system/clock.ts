import { setTimeout as pause } from 'node:timers/promises';

/** Time as everyone else gets it. Wall time for what is stored, monotonic time for deadlines. */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  random(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  random: () => Math.random(),
};

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';

/** The real clock; the only place that reads it. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  random: () => Math.random(),
};

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';

/** The real clock; the only place that reads it. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  random: () => Math.random(),
};

/** Calls back once after `delayMs` unless the returned function is called before. Does not keep the process alive. */
export function startTimer(delayMs: number, onElapsed: () => void): () => void {
  const timer = setTimeout(onElapsed, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

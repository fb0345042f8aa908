import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';

/** The real clock; the only place that reads it. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async pause(ms, signal) {
    try {
      await pause(ms, undefined, { signal });
    } catch (error) {
      // Node wraps the reason in an error of its own.
      signal?.throwIfAborted();
      throw error;
    }
  },
  random: () => Math.random(),
};

/** Calls back once after `delayMs` unless the returned function is called before. Does not keep the process alive. */
export function startTimer(delayMs: number, onElapsed: () => void): () => void {
  const timer = setTimeout(onElapsed, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

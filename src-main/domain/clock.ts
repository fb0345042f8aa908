/** Time as everyone but `system` gets it. Wall time for what is stored, monotonic time for deadlines. */
export interface Clock {
  /** Epoch milliseconds, UTC. */
  nowMs(): number;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

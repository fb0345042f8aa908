/** What is remembered of a server that is asked. Times are monotonic milliseconds. */
export interface BreakerState {
  /** Failures since it answered last. */
  failures: number;
  /** Until when nothing is asked; 0 = it may be asked. */
  openUntilMs: number;
  /** The last time it was left alone. */
  openForMs: number;
}

export const CLOSED: BreakerState = { failures: 0, openUntilMs: 0, openForMs: 0 };

/** Failures in a row after which a server is left alone. More than one run can have of its own. */
const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 600_000;

export const isOpen = (state: BreakerState, nowMs: number): boolean => nowMs < state.openUntilMs;

/**
 * After a failure that says something about the server. The fifth in a row leaves it alone
 * for half a minute; when it then fails its first question again, for twice as long, up to ten minutes.
 * Source: runtime.md §1.4.
 */
export function afterFailure({ failures, openForMs }: BreakerState, nowMs: number): BreakerState {
  if (failures + 1 < FAILURES_TO_OPEN) return { failures: failures + 1, openUntilMs: 0, openForMs };
  const nextMs = openForMs === 0 ? FIRST_OPEN_MS : Math.min(openForMs * 2, LONGEST_OPEN_MS);
  // One more failure is enough from now on: the server has not answered since.
  return { failures: FAILURES_TO_OPEN - 1, openUntilMs: nowMs + nextMs, openForMs: nextMs };
}

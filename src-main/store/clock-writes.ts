import type { Statements } from './statements.ts';

/** Clocks are set by a few seconds all the time; only a jump beyond this makes a stored time a time that never comes. */
const JUMP_MS = 60_000;

/** Whether a queued run was stored in what is the future now: the wall clock was set back. */
export function hasFutureRuns(statements: Statements, nowMs: number): boolean {
  const found = statements.get(`select exists (select 1 from runs where status = 'queued' and queued_at_ms > ?)`);
  return found.pluck().get(nowMs + JUMP_MS) === 1;
}

/**
 * Makes the runs due that were queued before the wall clock was set back: their waits were
 * counted from a time that is not yet. What was left of a wait is given up, which is a
 * second or a backoff, never a decision. Returns how many.
 * Source: runtime.md §24.5.
 */
export function mendDueTimes(statements: Statements, nowMs: number): number {
  return statements
    .get(
      `update runs set next_attempt_at_ms = min(next_attempt_at_ms, :now), not_before_at_ms = min(not_before_at_ms, :now),
         queued_at_ms = :now
       where status = 'queued' and queued_at_ms > :future`,
    )
    .run({ now: nowMs, future: nowMs + JUMP_MS }).changes;
}

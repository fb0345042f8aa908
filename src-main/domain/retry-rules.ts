import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { RunRecord } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';

export interface RetryInput {
  actor: Actor;
}

/** Whether a run waits for a later try; for a screen, so that it offers `retryNow` where that can help. */
export const isDelayed = (run: RunRecord, nowMs: number): boolean =>
  run.status === 'queued' && run.nextAttemptAtMs > nowMs;

/**
 * Makes a run due now that waits for its next try or for an endpoint to come back. A
 * person who repaired the cause need not sit out the backoff; the count of tries and
 * the window of an approval stay as they are.
 * Refuses: unknown_run (unknown and forbidden alike), not_delayed.
 * Source: architecture.md §5a "Offline is not failure"; peers.md T-15.
 */
export function retryNow(facts: Facts, input: RetryInput): Result<RunChange> {
  const run = facts.run;
  if (!run || !mayActOnRun(input.actor, facts.operator, run, 'agent:approve')) return refused({ kind: 'unknown_run' });
  if (!isDelayed(run, facts.nowMs)) return refused({ kind: 'not_delayed', status: run.status });
  return accepted({
    kind: 'requeued',
    from: 'queued',
    set: { nextAttemptAtMs: facts.nowMs, hold: run.hold === 'paused' ? 'paused' : '' },
    events: [
      lifecycleEvent('retried', {
        retriedBy: operatorIdOf(input.actor),
        ...(input.actor.kind === 'service' ? { serviceAccount: input.actor.name } : {}),
        skippedMs: run.nextAttemptAtMs - facts.nowMs,
      }),
    ],
    wakes: true,
  });
}

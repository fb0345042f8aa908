import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { DECISION_LIMIT_MS } from './limits.ts';
import { isWaiting } from './run.ts';
import { ENDED_PARTS, endedColumns, lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import { uncertainWriteEvent, writeInDoubt } from './uncertain-write-rules.ts';

/**
 * Ends a run that nobody decided for as long as its configuration allows (T21): said in its record,
 * never by deleting it. A write an earlier segment left unexamined is listed.
 * Refuses: unknown_run, not_waiting (also before the limit).
 * Source: architecture.md §5a; runtime.md D-19.
 */
export function expireWaiting(facts: Facts): Result<RunChange> {
  const run = facts.run;
  if (!run) return refused({ kind: 'unknown_run' });
  const limitMs = facts.configuration ? facts.configuration.settings.decisionLimitMs : DECISION_LIMIT_MS;
  if (!isWaiting(run.status) || limitMs === null || facts.nowMs - run.waitingSinceMs < limitMs) {
    return refused({ kind: 'not_waiting', status: run.status });
  }
  const uncertainWrite = writeInDoubt(run, facts.pendingTurn);
  return accepted({
    kind: 'ended',
    from: run.status,
    set: endedColumns('cancelled', 'expired', facts.nowMs),
    events: [
      ...(uncertainWrite ? [uncertainWriteEvent(uncertainWrite)] : []),
      lifecycleEvent('finished', {
        status: 'cancelled',
        reason: 'expired',
        waitedMs: facts.nowMs - run.waitingSinceMs,
      }),
    ],
    result: {
      v: 1,
      answer: '',
      failure:
        'Nobody decided this turn in time. Nothing of it was executed. Start the run again if it is still wanted.',
    },
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  });
}

import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import type { Configuration } from './configuration.ts';
import { isWaiting, type RunRecord } from './run.ts';
import { ENDED_PARTS, endedColumns, lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import { uncertainWriteEvent, writeInDoubt } from './uncertain-write-rules.ts';

const LONGEST_LEAD_MS = 86_400_000;

/** How long before its end a waiting run is reminded of: a tenth of the limit, at most a day. */
export const reminderLeadMs = (limitMs: number): number => Math.min(Math.floor(limitMs / 10), LONGEST_LEAD_MS);

/** When a run that waits ends because nobody decided; 0 = never, and always so where its configuration is gone. */
export function expiresAtMs(
  run: Pick<RunRecord, 'status' | 'waitingSinceMs'>,
  configuration: Pick<Configuration, 'settings'> | null,
): number {
  const limitMs = configuration?.settings.decisionLimitMs ?? null;
  return isWaiting(run.status) && limitMs !== null ? run.waitingSinceMs + limitMs : 0;
}

/**
 * Ends a run that nobody decided for as long as its configuration allows (T21): said in its record,
 * never by deleting it. A write an earlier segment left unexamined is listed. No denial: nobody declined anything, and no
 * model hears of it.
 * Refuses: unknown_run, not_waiting (also before the limit, and where there is none).
 * Source: architecture.md §5a; runtime.md D-19; issue E "expiry as its own outcome, default never".
 */
export function expireWaiting(facts: Facts): Result<RunChange> {
  const run = facts.run;
  if (!run) return refused({ kind: 'unknown_run' });
  const endsAtMs = expiresAtMs(run, facts.configuration);
  if (endsAtMs === 0 || facts.nowMs < endsAtMs) return refused({ kind: 'not_waiting', status: run.status });
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

/**
 * Says once in each pause of a run that it will expire soon. Nothing else changes: the card stays as it is.
 * Refuses: unknown_run, not_waiting (also too early, too late, said before, and where there is no limit).
 * Source: issue E "reminder before".
 */
export function remindOfExpiry(facts: Facts): Result<RunChange> {
  const { run, configuration, nowMs } = facts;
  if (!run) return refused({ kind: 'unknown_run' });
  const endsAtMs = expiresAtMs(run, configuration);
  const fromMs = endsAtMs - reminderLeadMs(endsAtMs - run.waitingSinceMs);
  if (endsAtMs === 0 || facts.isReminded || nowMs < fromMs || nowMs >= endsAtMs) {
    return refused({ kind: 'not_waiting', status: run.status });
  }
  return accepted({
    kind: 'reminded',
    from: run.status,
    set: {},
    events: [lifecycleEvent('expiry_near', { expiresAtMs: endsAtMs, waitingSinceMs: run.waitingSinceMs })],
  });
}

import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { isAdministrator, operatorIdOf, type Actor } from './actor.ts';
import { isTerminal } from './run.ts';
import { ENDED_PARTS, endedColumns, lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import { uncertainWriteEvent, writeInDoubt } from './uncertain-write-rules.ts';

export interface SettleUnreadableInput {
  actor: Actor;
  /** Where the record of the run stood when its parts were looked at. */
  lastSequence: number;
}

/**
 * Ends a run that nobody holds and whose stored parts cannot be opened (T17): only ever
 * because an administrator says so, since the missing key or the right file may still
 * come back. A running one is ended by its own worker.
 * Refuses: unknown_run, not_administrator, already_ended, not_waiting (it is running, or went on since it was looked at).
 * Source: runtime.md D-15.
 */
export function settleUnreadable(facts: Facts, input: SettleUnreadableInput): Result<RunChange> {
  const { run, operator } = facts;
  if (!isAdministrator(operator)) return refused({ kind: 'not_administrator' });
  if (!run) return refused({ kind: 'unknown_run' });
  if (isTerminal(run.status)) return refused({ kind: 'already_ended', status: run.status });
  if (run.status === 'running' || run.lastSequence !== input.lastSequence)
    return refused({ kind: 'not_waiting', status: run.status });
  const uncertainWrite = writeInDoubt(run, facts.pendingTurn);
  return accepted({
    kind: 'ended',
    from: run.status,
    set: endedColumns('failed', 'state_unreadable', facts.nowMs),
    events: [
      ...(uncertainWrite ? [uncertainWriteEvent(uncertainWrite)] : []),
      lifecycleEvent('finished', {
        status: 'failed',
        reason: 'state_unreadable',
        settledBy: operatorIdOf(input.actor),
      }),
    ],
    result: {
      v: 1,
      answer: '',
      failure: 'What is stored of this run cannot be read, so an administrator ended it. Nothing more was executed.',
    },
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  });
}

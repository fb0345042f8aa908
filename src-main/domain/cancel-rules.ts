import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { isInitiator, mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import { isTerminal, isWaiting, type RunRecord } from './run.ts';
import { ENDED_PARTS, endedColumns, lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import { writeInDoubt } from './uncertain-write-rules.ts';

export interface CancelInput {
  actor: Actor;
}

/**
 * Stops a run that has not ended (T15). It is a fence, not a kill: a call already
 * on the wire finishes, its step is still recorded, nothing after it runs. Totals
 * stay (D-04). A write in flight at that moment, or left unexamined by a worker that
 * died, is listed as uncertain at once and taken off the list by its own step; if
 * that step never comes, the entry stands.
 * Refuses: unknown_run (unknown and forbidden alike), already_ended.
 */
export function cancelRun(facts: Facts, input: CancelInput): Result<RunChange> {
  const run = facts.run;
  if (!run || !mayActOnRun(input.actor, facts.operator, run, 'agent:cancel')) return refused({ kind: 'unknown_run' });
  if (isTerminal(run.status)) return refused({ kind: 'already_ended', status: run.status });
  return accepted(cancelled(run, facts, input));
}

/**
 * Stops a run only while it waits for a person (T16): what a conversation does with
 * a proposal that was overtaken. Only the person who started it or an administrator
 * may; a service account never, whatever its scopes.
 * Refuses: unknown_run (unknown and forbidden alike), not_waiting (a decision released
 * it, or it ended).
 * Source: runtime.md §5.7.
 */
export function cancelIfWaiting(facts: Facts, input: CancelInput): Result<RunChange> {
  const run = facts.run;
  const isOwnOrAdmin =
    facts.operator?.isEnabled === true && (facts.operator.isAdmin || (run && isInitiator(input.actor, run)));
  if (!run || !isOwnOrAdmin) return refused({ kind: 'unknown_run' });
  if (!isWaiting(run.status)) return refused({ kind: 'not_waiting', status: run.status });
  return accepted(cancelled(run, facts, input));
}

function cancelled(run: RunRecord, facts: Facts, input: CancelInput): RunChange {
  const uncertainWrite = writeInDoubt(run, facts.pendingTurn);
  return {
    kind: 'ended',
    from: run.status,
    set: endedColumns('cancelled', 'cancelled', facts.nowMs),
    events: [
      lifecycleEvent('cancelled', {
        cancelledBy: operatorIdOf(input.actor),
        ...(input.actor.kind === 'service' ? { serviceAccount: input.actor.name } : {}),
        from: run.status,
        ...(uncertainWrite ? { writeInFlight: uncertainWrite.effect } : {}),
      }),
    ],
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  };
}

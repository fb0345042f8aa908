import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { isAdministrator, operatorIdOf, type Actor } from './actor.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';

export interface ReleaseRestoredInput {
  actor: Actor;
}

/**
 * Lets a run of a restored copy go on from where the copy has it. Only an administrator can know that it did not go on
 * elsewhere. The status stays; a waiting run can be decided again, a queued one is claimed, a running one taken back.
 * Refuses: not_administrator, unknown_run, not_restored.
 */
export function releaseRestored(facts: Facts, input: ReleaseRestoredInput): Result<RunChange> {
  const { run, operator } = facts;
  if (!isAdministrator(operator)) return refused({ kind: 'not_administrator' });
  if (!run) return refused({ kind: 'unknown_run' });
  if (run.hold !== 'restored') return refused({ kind: 'not_restored', status: run.status });
  return accepted({
    kind: 'released',
    from: run.status,
    set: { hold: '' },
    events: [lifecycleEvent('released', { releasedBy: operatorIdOf(input.actor) })],
    wakes: run.status === 'queued',
  });
}

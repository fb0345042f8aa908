import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { RunRecord } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import type { Mover } from './transition-table.ts';

/** What may happen to a run of a restored copy: a person lets it go on, or ends it. */
const ALLOWED: readonly Mover[] = ['release_restored', 'cancel', 'cancel_if_waiting', 'settle_unreadable'];

/**
 * What keeps a run of a restored copy from moving. Elsewhere it may have gone on since the copy was made: its turn
 * decided, its write made. Asked after the rule itself, so that who may not see the run learns nothing here.
 * Source: issue D, "a new installation epoch"; docs/decisions/0021.
 */
export function restoredBar(mover: Mover, run: Pick<RunRecord, 'hold'> | null): Refusal | null {
  return run?.hold === 'restored' && !ALLOWED.includes(mover) ? { kind: 'restored' } : null;
}

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
  if (!operator?.isEnabled || !operator.isAdmin) return refused({ kind: 'not_administrator' });
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

import type { Refusal } from '../../src-shared/refusals.ts';
import type { RunRecord } from './run.ts';
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

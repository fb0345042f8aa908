import { refused, type Refusal } from '../../src-shared/refusals.ts';
import type { RunRecord } from './run.ts';

/** How a segment proves that it still holds its run: the token of its claim, and the claim's number. */
export interface Ownership {
  ownerToken: string;
  attempt: number;
}

/**
 * Whether a segment still owns its run. A cancelled run is told apart from a lost
 * lease (D-05): the claim's number identifies the segment after the token is gone.
 */
export function ownershipOf(run: RunRecord | null, claim: Ownership): 'owned' | 'cancelled' | 'lost' {
  if (!run) return 'lost';
  if (run.status === 'running' && run.ownerToken !== '' && run.ownerToken === claim.ownerToken) return 'owned';
  return run.status === 'cancelled' && run.attempt === claim.attempt ? 'cancelled' : 'lost';
}

/** The refusal for a segment that owns its run no more. */
export function ownershipRefusal(ownership: 'cancelled' | 'lost'): { ok: false; refusal: Refusal } {
  return refused(ownership === 'cancelled' ? { kind: 'run_cancelled' } : { kind: 'lease_lost' });
}

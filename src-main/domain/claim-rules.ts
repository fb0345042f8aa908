import { LEASE_MS } from './limits.ts';
import type { RunRecord } from './run.ts';
import { lifecycleEvent, type RunChange, type RunColumns } from './run-change.ts';

export interface ClaimInput {
  workerId: string;
  /** Random, 128 bit, one per claim. */
  ownerToken: string;
  nowMs: number;
  /** Whether this worker executes nothing else right now; only such a worker may take a run that runs alone. */
  isIdle: boolean;
}

/**
 * What a claim does to the row it wins; the guard itself (due, queued, not held)
 * is the store's single UPDATE. The segment kind is kept: what was to happen next
 * happens now (T3).
 */
export function claimRun(run: RunRecord, input: ClaimInput): RunChange {
  const set: RunColumns = {
    status: 'running',
    ownerToken: input.ownerToken,
    workerId: input.workerId,
    leaseExpiresAtMs: input.nowMs + LEASE_MS,
    attempt: run.attempt + 1,
    phase: 'model',
    hold: '',
    startedAtMs: run.segment === 'resume' ? run.startedAtMs : input.nowMs,
  };
  return {
    kind: 'claimed',
    from: 'queued',
    set,
    events: [lifecycleEvent('attempt', { segment: run.segment, requeueCount: run.requeueCount })],
  };
}

/**
 * Whether a run may begin at its request. One that was shown to a person, or that
 * finished a write that must not be made twice, only ever goes on from its checkpoint.
 * Source: runtime.md D-20, D-21.
 */
export function mayStartFromRequest(run: RunRecord): boolean {
  return run.previewRevision === 0 && !run.hasNonIdempotentEffect;
}

import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { MAX_REQUEUES, requeueDelayMs } from './limits.ts';
import type { RunRecord } from './run.ts';
import {
  ENDED_PARTS,
  endedColumns,
  lifecycleEvent,
  queuedAgainColumns,
  type Facts,
  type RunChange,
} from './run-change.ts';
import { uncertainWriteEvent, writeInDoubt } from './uncertain-write-rules.ts';

export interface ReclaimInput {
  /** The claim that is to be taken back; another claim is not touched. */
  ownerToken: string;
  /** `worker_died` = its proof-of-life lock is free; `lease_over` = it cannot be probed and its lease has passed. */
  cause: 'worker_died' | 'lease_over';
}

/**
 * Takes a run back from a worker that is proven dead or whose lease is over
 * (T13, T14). The segment kind and the decision are kept: nobody is asked twice.
 * A fenced non-idempotent write may have happened, so the run ends and the write
 * goes to the uncertain writes. A fenced idempotent write is examined by the next
 * segment before anything else. Only a death during the run's own tool call counts
 * against it, and such a run is next claimed alone.
 * Refuses: lease_lost when somebody else moved the run first.
 * Source: architecture.md §2 "Proof of death", §5a; runtime.md §10.
 */
export function reclaimRun(facts: Facts, input: ReclaimInput): Result<RunChange> {
  const run = facts.run;
  if (!run || run.status !== 'running' || run.ownerToken !== input.ownerToken) return refused({ kind: 'lease_lost' });
  // Equality is not stale; a dead worker needs no lease to pass.
  if (input.cause === 'lease_over' && !(run.leaseExpiresAtMs > 0 && run.leaseExpiresAtMs < facts.nowMs)) {
    return refused({ kind: 'lease_lost' });
  }
  if (run.fenceEffect === 'non_idempotent_write') {
    return accepted(deadLetter(run, facts, 'not_retryable'));
  }
  const isCounted = run.phase === 'tools';
  if (isCounted && run.requeueCount >= MAX_REQUEUES) {
    return accepted(deadLetter(run, facts, 'retries_exhausted'));
  }
  return accepted(requeued(run, facts.nowMs, input.cause, isCounted));
}

function requeued(run: RunRecord, nowMs: number, cause: ReclaimInput['cause'], isCounted: boolean): RunChange {
  // A tool that takes workers down backs off like any failure (X14); an uncounted death costs the run nothing.
  const delayMs = isCounted ? requeueDelayMs(run.requeueCount) : 0;
  return {
    kind: 'requeued',
    from: 'running',
    set: {
      ...queuedAgainColumns(run, nowMs, delayMs),
      segment: run.segment === 'start' && run.rounds > 0 ? 'retry' : run.segment,
      requeueCount: run.requeueCount + (isCounted ? 1 : 0),
      runsAlone: run.runsAlone || isCounted,
    },
    events: [
      lifecycleEvent('reclaimed', {
        cause,
        counted: isCounted,
        ...(isCounted ? { delayMs } : {}),
        ...(run.fenceEffect ? { fencedWrite: run.fenceEffect } : {}),
      }),
    ],
    wakes: true,
  };
}

function deadLetter(run: RunRecord, facts: Facts, reason: 'not_retryable' | 'retries_exhausted'): RunChange {
  const uncertainWrite = writeInDoubt(run, facts.pendingTurn);
  return {
    kind: 'ended',
    from: 'running',
    set: endedColumns('failed', reason, facts.nowMs),
    events: [
      ...(uncertainWrite ? [uncertainWriteEvent(uncertainWrite)] : []),
      lifecycleEvent('finished', { status: 'failed', reason, attempt: run.attempt }),
    ],
    result: {
      v: 1,
      answer: '',
      failure: uncertainWrite
        ? 'The machine stopped while a write was in flight. Nobody can tell whether it happened: check the record.'
        : 'The worker stopped each time this run used a tool. It is not tried again.',
    },
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  };
}

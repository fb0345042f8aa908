import { accepted, type Result } from '../../src-shared/refusals.ts';
import type { EndReason, FailureClass } from '../../src-shared/vocabulary.ts';
import { isRetryable } from './failure-rules.ts';
import { MAX_REQUEUES, OFFLINE_LIMIT_MS, offlineDelayMs, requeueDelayMs } from './limits.ts';
import { ownershipOf, ownershipRefusal, type Ownership } from './ownership-rules.ts';
import type { ModelAttempt, RunRecord, UncertainWrite } from './run.ts';
import {
  ENDED_PARTS,
  endedColumns,
  lifecycleEvent,
  queuedAgainColumns,
  type Facts,
  type RunChange,
} from './run-change.ts';
import { uncertainWriteEvent, writeInDoubt } from './uncertain-write-rules.ts';

export interface CompleteInput extends Ownership {
  reason: Extract<EndReason, 'completed' | 'max_iterations' | 'budget_exhausted' | 'context_truncated'>;
  answer: string;
}

/**
 * Ends a run with an answer (T9). Everything only a living run needs is emptied;
 * totals stay as the steps recorded them (D-04). A write that is still in flight, or
 * was left to be examined and was not, is listed: the answer does not settle it.
 * Refuses: lease_lost, run_cancelled.
 */
export function completeRun(facts: Facts, input: CompleteInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned' || !facts.run) return ownershipRefusal(ownership === 'owned' ? 'lost' : ownership);
  const uncertainWrite = writeInDoubt(facts.run, facts.pendingTurn);
  return accepted({
    kind: 'ended',
    from: 'running',
    set: {
      ...endedColumns('completed', input.reason, facts.nowMs),
      isTruncated: input.reason !== 'completed',
    },
    events: [
      ...(uncertainWrite ? [uncertainWriteEvent(uncertainWrite)] : []),
      lifecycleEvent('finished', { status: 'completed', reason: input.reason }),
    ],
    result: { v: 1, answer: input.answer, failure: '' },
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  });
}

/**
 * What failed: the provider, by its class; `storage` = the disk or the database; `toolProcess` = the process of a call that
 * holds a person's answers. The last two may be whole again later.
 */
export type SegmentFailure = FailureClass | 'storage' | 'toolProcess';

const mayHelpLater = (failure: SegmentFailure): boolean =>
  failure === 'storage' || failure === 'toolProcess' || isRetryable(failure);

export interface FailInput extends Ownership {
  /** Decides whether another try can help; `unknown` never is retried. */
  failureClass: SegmentFailure;
  /** Reason recorded when the run ends at once; a retryable provider failure may be requeued instead. */
  reason: EndReason;
  /** Type name of the error, never its message. */
  errorClass: string;
  /** Our own sentence for the person. */
  sentence: string;
  /** The least wait the provider asked for; absent = it did not ask. */
  retryAfterMs?: number;
  /** The models that were asked in vain; absent = none. */
  attempts?: ModelAttempt[];
  /**
   * Set when the segment knows more of a write whose outcome is unknown than the row
   * does: the run ends and a person must look. A write still fenced is listed anyway.
   */
  uncertainWrite: UncertainWrite | null;
}

/**
 * What a failed segment comes to, in this order: an uncertain write or a fenced
 * non-idempotent write ends the run; an interactive run that nobody decided anything
 * in, or a class that retrying cannot fix, ends it; an endpoint that cannot be reached, or is
 * left alone and was not even asked, holds it, uncounted, up to the configuration's limit; otherwise it is requeued with backoff
 * until the budget of MAX_REQUEUES is spent. A decision is never lost to a person's
 * impatience: an interactive run that holds one is retried like any other.
 * Refuses: lease_lost, run_cancelled.
 * Source: runtime.md §9; architecture.md §5a "Offline is not failure".
 */
export function failSegment(facts: Facts, input: FailInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned' || !facts.run) return ownershipRefusal(ownership === 'owned' ? 'lost' : ownership);
  const run = facts.run;
  if (input.uncertainWrite || run.fenceEffect === 'non_idempotent_write') {
    const isNamed = input.uncertainWrite !== null || input.reason === 'audit_failed';
    return accepted(ended(run, facts, input, isNamed ? input.reason : 'not_retryable'));
  }
  if (run.mode === 'interactive' && run.lastDecisionNumber === 0) {
    return accepted(ended(run, facts, input, input.reason));
  }
  if (!mayHelpLater(input.failureClass)) {
    const reason = input.reason === 'provider_failed' ? 'not_retryable' : input.reason;
    return accepted(ended(run, facts, input, reason));
  }
  if (input.failureClass === 'connection' || input.failureClass === 'circuitOpen') {
    const sinceMs = run.offlineSinceMs || facts.nowMs;
    const limitMs = facts.configuration?.settings.offlineLimitMs ?? OFFLINE_LIMIT_MS;
    if (facts.nowMs - sinceMs >= limitMs) return accepted(ended(run, facts, input, 'retries_exhausted'));
    return accepted(heldOffline(run, facts.nowMs, sinceMs, input));
  }
  if (run.requeueCount >= MAX_REQUEUES) return accepted(ended(run, facts, input, 'retries_exhausted'));
  return accepted(requeued(run, facts.nowMs, input));
}

function ended(run: RunRecord, facts: Facts, input: FailInput, reason: EndReason): RunChange {
  const uncertainWrite = input.uncertainWrite ?? writeInDoubt(run, facts.pendingTurn);
  return {
    kind: 'ended',
    from: 'running',
    set: { ...endedColumns('failed', reason, facts.nowMs), errorClass: input.errorClass },
    events: [
      ...(uncertainWrite ? [uncertainWriteEvent(uncertainWrite)] : []),
      lifecycleEvent('finished', {
        status: 'failed',
        reason,
        errorClass: input.errorClass,
        failureClass: input.failureClass,
        attempt: run.attempt,
        ...modelAttempts(input),
      }),
    ],
    result: { v: 1, answer: '', failure: input.sentence },
    ...(uncertainWrite ? { uncertainWrite } : {}),
    ...ENDED_PARTS,
  };
}

const modelAttempts = ({ attempts = [] }: FailInput): { attempts?: ModelAttempt[] } =>
  attempts.length > 0 ? { attempts } : {};

/** A provider may ask for more patience than our backoff, within reason. */
const LONGEST_RETRY_AFTER_MS = 600_000;

/** The next segment continues from the checkpoint: as a resume while a decided turn is unfinished, else as a retry. */
const nextSegment = (run: RunRecord): 'resume' | 'retry' => (run.decisionNumber > 0 ? 'resume' : 'retry');

function requeued(run: RunRecord, nowMs: number, input: FailInput): RunChange {
  const { failureClass, retryAfterMs = 0 } = input;
  const delayMs = Math.max(requeueDelayMs(run.requeueCount), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
  return {
    kind: 'requeued',
    from: 'running',
    set: {
      ...queuedAgainColumns(run, nowMs, delayMs),
      segment: nextSegment(run),
      requeueCount: run.requeueCount + 1,
    },
    events: [lifecycleEvent('requeued', { cause: failureClass, counted: true, delayMs, ...modelAttempts(input) })],
    wakes: true,
  };
}

function heldOffline(run: RunRecord, nowMs: number, sinceMs: number, input: FailInput): RunChange {
  const delayMs = offlineDelayMs(run.offlineDelayMs);
  return {
    kind: 'requeued',
    from: 'running',
    set: {
      ...queuedAgainColumns(run, nowMs, delayMs),
      segment: nextSegment(run),
      hold: 'offline',
      offlineDelayMs: delayMs,
      offlineSinceMs: sinceMs,
    },
    events: [
      lifecycleEvent('requeued', {
        cause: input.failureClass,
        counted: false,
        hold: 'offline',
        delayMs,
        ...modelAttempts(input),
      }),
    ],
    wakes: true,
  };
}

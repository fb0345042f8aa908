import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';
import { LEASE_MS } from './limits.ts';
import type { Message } from './message.ts';
import { ownershipOf, ownershipRefusal, type Ownership } from './ownership-rules.ts';
import { lifecycleEvent, RELEASED, type Facts, type RunChange, type RunColumns } from './run-change.ts';
import type { EventDraft, RunRecord, SegmentPhase, UncertainWrite, Usage } from './run.ts';

export interface RecordStepInput extends Ownership {
  events: EventDraft[];
  /** Added to the transcript as one chunk. */
  messages: Message[];
  usage: Usage | null;
  /** 1 when the step is a provider call that counts against the round limit. */
  rounds: 0 | 1;
  phase: SegmentPhase;
  /** The fenced call this step ends, or '': fence and recovery mark are cleared in the same transaction (D-02). */
  fencedCallId: string;
  /** The fenced call really changed something outside. */
  isEffectDone: boolean;
  /** The step answers the last call of a decided turn: the turn and its decision are done. */
  endsTurn: boolean;
}

/**
 * Stores a step: events, transcript, running totals, fence and lease together.
 * On a cancelled run the step itself is still stored — what happened, happened —
 * and the returned row tells the segment to stop.
 * Refuses: lease_lost; the step of a stranger's run is not stored.
 * Source: runtime.md §7; D-02, D-04.
 */
export function recordStep(facts: Facts, input: RecordStepInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership === 'lost' || !facts.run) return ownershipRefusal('lost');
  const totals = addUsage(facts.run, input.usage, input.rounds);
  if (ownership === 'cancelled') {
    return accepted({
      kind: 'step',
      from: 'cancelled',
      set: totals,
      events: input.events,
      ...(input.usage ? { usage: input.usage } : {}),
      ...(input.fencedCallId ? recordedLate(input.fencedCallId) : {}),
    });
  }
  return accepted({
    kind: 'step',
    from: 'running',
    set: {
      ...totals,
      phase: input.phase,
      leaseExpiresAtMs: facts.nowMs + LEASE_MS,
      ...(input.fencedCallId ? fenceEnded(facts.run, input.isEffectDone) : {}),
      ...(input.endsTurn ? TURN_DONE : {}),
      ...(input.usage ? { offlineDelayMs: 0, offlineSinceMs: 0 } : {}),
    },
    events: input.events,
    ...(input.usage ? { usage: input.usage } : {}),
    transcript: input.messages.length > 0 ? input.messages : undefined,
    ...(input.endsTurn ? { pendingTurn: null } : {}),
    // An attempt that had lost the run may have listed the same write.
    ...(input.fencedCallId && input.isEffectDone ? recordedLate(input.fencedCallId) : {}),
  });
}

const recordedLate = (callId: string): Pick<RunChange, 'resolvesUncertainWrite'> => ({
  resolvesUncertainWrite: { callId, resolution: 'recorded_late' },
});

const fenceEnded = (run: RunRecord, isEffectDone: boolean): RunColumns => ({
  fenceEffect: '',
  fenceCallId: '',
  recoverCallId: '',
  hasNonIdempotentEffect: run.hasNonIdempotentEffect || (isEffectDone && run.fenceEffect === 'non_idempotent_write'),
});

const TURN_DONE: RunColumns = {
  pendingTool: '',
  pendingEffect: '',
  pendingTarget: '',
  turnDigest: '',
  bounceCount: 0,
  decisionNumber: 0,
  recoverCallId: '',
};

function addUsage(run: NonNullable<Facts['run']>, usage: Usage | null, rounds: number): RunColumns {
  if (!usage) return { rounds: run.rounds + rounds };
  return {
    rounds: run.rounds + rounds,
    inputTokens: run.inputTokens + usage.inputTokens,
    outputTokens: run.outputTokens + usage.outputTokens,
    ...(usage.costMicros === null
      ? { unpricedAnswers: run.unpricedAnswers + 1 }
      : { costMicros: (run.costMicros ?? 0) + usage.costMicros }),
  };
}

/**
 * Renews the lease between steps, while a call is in flight (D-08).
 * Refuses: lease_lost, run_cancelled.
 */
export function renewLease(facts: Facts, input: Ownership): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned') return ownershipRefusal(ownership);
  return accepted({
    kind: 'step',
    from: 'running',
    set: { leaseExpiresAtMs: facts.nowMs + LEASE_MS },
    events: [],
    isSilent: true,
  });
}

export interface StampFenceInput extends Ownership {
  callId: string;
  effect: Exclude<ToolEffect, 'read_only'>;
}

/**
 * Stamps the write fence immediately before a write executes, after every check.
 * Refused = the write does not happen. This is also where a pause takes hold: what
 * is fenced already finishes, nothing else starts.
 * Refuses: lease_lost, run_cancelled, paused.
 * Source: runtime.md §8.3, §8.6 [L]; architecture.md §5a "Pause all".
 */
export function stampFence(facts: Facts, input: StampFenceInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned') return ownershipRefusal(ownership);
  if (facts.isPaused) return refused({ kind: 'paused' });
  return accepted({
    kind: 'fenced',
    from: 'running',
    set: {
      fenceEffect: input.effect,
      fenceCallId: input.callId,
      recoverCallId: '',
      phase: 'tools',
      leaseExpiresAtMs: facts.nowMs + LEASE_MS,
    },
    events: [],
  });
}

export interface ReleaseInput extends Ownership {
  /** `other_form` = a part of the run has the form of another release; `initiator_unavailable` = the owner of a decided run was disabled. */
  cause: 'worker_stopped' | 'paused' | 'other_form' | 'initiator_unavailable';
}

/** How long a run is left alone that only another release can read: that one may be started meanwhile. */
const OTHER_FORM_DELAY_MS = 600_000;

/**
 * Hands a run back when its worker stops in good order, everything is paused, or this release cannot read it:
 * uncounted, claimable at once (or when the pause is over; later where it cannot be read). A fenced segment is not
 * released: its write is examined first.
 * Refuses: lease_lost, run_cancelled.
 * Source: runtime.md §24.6; architecture.md §5a "Pause all".
 */
export function releaseClaim(facts: Facts, input: ReleaseInput): Result<RunChange> {
  const ownership = ownershipOf(facts.run, input);
  if (ownership !== 'owned' || !facts.run) return ownershipRefusal(ownership === 'owned' ? 'lost' : ownership);
  if (facts.run.fenceEffect !== '') return ownershipRefusal('lost');
  const delayMs = input.cause === 'other_form' ? OTHER_FORM_DELAY_MS : 0;
  return accepted({
    kind: 'requeued',
    from: 'running',
    set: {
      ...RELEASED,
      status: 'queued',
      hold: input.cause === 'paused' ? 'paused' : '',
      queuedAtMs: facts.nowMs,
      nextAttemptAtMs: facts.nowMs + delayMs,
    },
    events: [lifecycleEvent('requeued', { cause: input.cause, counted: false, ...(delayMs > 0 ? { delayMs } : {}) })],
    wakes: true,
  });
}

export interface OrphanWriteInput {
  write: UncertainWrite;
  attempt: number;
}

/**
 * Keeps a write that really happened but whose segment had lost the run by then (X3).
 * The run's state is not touched; only the uncertain-writes list and an event grow.
 */
export function recordOrphanWrite(facts: Facts, input: OrphanWriteInput): Result<RunChange> {
  if (!facts.run) return ownershipRefusal('lost');
  return accepted({
    kind: 'orphan_write',
    from: facts.run.status,
    set: {},
    events: [
      lifecycleEvent('uncertain_write', {
        toolCallId: input.write.callId,
        toolName: input.write.toolName,
        cause: input.write.cause,
        ofAttempt: input.attempt,
      }),
    ],
    uncertainWrite: input.write,
  });
}

import type { EndReason, RunStatus, WriteFinding } from '../../src-shared/vocabulary.ts';
import type { Configuration } from './configuration.ts';
import type { Operator } from './actor.ts';
import type { Message } from './message.ts';
import type {
  Decision,
  EventDraft,
  PendingTurn,
  RunRecord,
  RunRequest,
  RunResult,
  UncertainWrite,
  Usage,
} from './run.ts';

/** What a change is called in the `changes` table: enough for a reader to know whether to look. */
export type ChangeKind =
  | 'queued'
  | 'claimed'
  | 'step'
  | 'fenced'
  | 'waiting'
  | 'reminded'
  | 'decided'
  | 'requeued'
  | 'ended'
  | 'orphan_write'
  | 'released';

/** The columns a rule may set. Identity, sequence and hash columns belong to the store. */
export type RunColumns = Partial<
  Omit<
    RunRecord,
    | 'id'
    | 'actor'
    | 'initiatorId'
    | 'configurationId'
    | 'configurationIdentifier'
    | 'mode'
    | 'createdAtMs'
    | 'lastSequence'
  >
>;

/**
 * Everything one transition does, applied by the store in one transaction or not
 * at all. A missing part is left alone; `null` empties it.
 */
export interface RunChange {
  kind: ChangeKind;
  /** The status the row must still have when the change is applied; the store refuses to apply on another. */
  from: RunStatus | 'new';
  set: RunColumns;
  events: EventDraft[];
  /** Present for a new run only. */
  create?: RunRecord;
  request?: RunRequest | null;
  pendingTurn?: PendingTurn | null;
  /** Appended as one chunk; null deletes the whole transcript. */
  transcript?: Message[] | null;
  decision?: Decision;
  result?: RunResult;
  uncertainWrite?: UncertainWrite;
  /** What an answer used; added to the day of its configuration. */
  usage?: Usage;
  /** The uncertain write that is settled: its step came after all, or a person looked. */
  resolvesUncertainWrite?: { callId: string; resolution: 'recorded_late' | WriteFinding };
  /** A run became claimable: workers are woken. */
  wakes?: boolean;
  /** A lease renewal: no reader needs to look, so no `changes` row is written. */
  isSilent?: boolean;
}

/** What the store reads inside the transaction and hands to a rule. Only what the transition declares it needs is read. */
export interface Facts {
  run: RunRecord | null;
  nowMs: number;
  /** The live operator row of the input's actor. */
  operator: Operator | null;
  configuration: Configuration | null;
  /** The decision the run is about to carry out. */
  decision: Decision | null;
  /** The stored turn; 'unreadable' when it cannot be opened; null when there is none. */
  pendingTurn: PendingTurn | 'unreadable' | null;
  /** Calls of the run whose write is uncertain and not settled. */
  uncertainCallIds: string[];
  /** Whether it was said in this pause of the run that it will expire. */
  isReminded: boolean;
  /** Whether somebody paused everything. */
  isPaused: boolean;
  /** Whether a run of this id was purged. */
  isPurged: boolean;
}

/** A change that ends a run empties every part that only a living run needs (I5, H-057). */
export const ENDED_PARTS = { request: null, pendingTurn: null, transcript: null } satisfies Partial<RunChange>;

/** Columns of a row that nobody holds: waiting, queued or ended (I2, I6). */
export const RELEASED: RunColumns = {
  ownerToken: '',
  workerId: '',
  leaseExpiresAtMs: 0,
  phase: '',
  fenceEffect: '',
  fenceCallId: '',
};

/** Columns of a row without a turn to decide. */
export const NO_PENDING_TURN: RunColumns = {
  pendingTool: '',
  pendingEffect: '',
  pendingTarget: '',
  turnDigest: '',
  bounceCount: 0,
  decisionNumber: 0,
  waitingSinceMs: 0,
};

/** Columns of a run that is over. */
export function endedColumns(status: RunStatus, endReason: EndReason, nowMs: number): RunColumns {
  return { ...RELEASED, ...NO_PENDING_TURN, status, endReason, recoverCallId: '', hold: '', finishedAtMs: nowMs };
}

/** Columns of a run that goes back into the queue; a write it was fenced for is examined first when it goes on. */
export function queuedAgainColumns(run: RunRecord, nowMs: number, delayMs: number): RunColumns {
  return {
    ...RELEASED,
    status: 'queued',
    recoverCallId: run.fenceCallId || run.recoverCallId,
    queuedAtMs: nowMs,
    nextAttemptAtMs: nowMs + delayMs,
  };
}

/** An event of the run as a whole, outside any round. */
export function lifecycleEvent(kind: EventDraft['kind'], payload: EventDraft['payload'], round = 0): EventDraft {
  return { kind, round, durationMs: 0, payload };
}

import type { CallPreview } from '../../src-shared/preview.ts';
import type { Surface, TriggerClaims } from '../../src-shared/trigger.ts';
import type {
  DenialReason,
  EndReason,
  EventKind,
  FailureClass,
  Hold,
  RunMode,
  RunStatus,
  SegmentKind,
  ToolEffect,
  Verdict,
} from '../../src-shared/vocabulary.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';
import type { Actor } from './actor.ts';
import type { JsonObject } from './json-value.ts';
import type { Message } from './message.ts';
import type { CallQuestion, ToolCall } from './tool.ts';

/** What a running segment does right now. A worker that dies in `tools` may have died because of the tool. */
export type SegmentPhase = '' | 'model' | 'tools';

/** The run row: the whole state of a run except its sealed parts. Times are epoch milliseconds, UTC; 0 = not yet. */
export interface RunRecord {
  id: string;
  /** Given by the caller, shown in lists, never made from the prompt. */
  label: string;
  status: RunStatus;
  mode: RunMode;
  segment: SegmentKind;
  configurationId: string;
  configurationIdentifier: string;
  /** The person who started it; 0 = nobody. */
  initiatorId: number;
  actor: Actor;
  /** Random 128-bit token of the current claim; '' unless running. */
  ownerToken: string;
  workerId: string;
  leaseExpiresAtMs: number;
  /** Number of claims so far; also the fencing generation: no two claims share one. */
  attempt: number;
  /** Counted failures and reclaims; at most MAX_REQUEUES. */
  requeueCount: number;
  /** Claimed only by a worker that runs nothing else, after its own tool call took a worker down. */
  runsAlone: boolean;
  phase: SegmentPhase;
  /** The write fence: effect of the write in flight, '' when none. Always '' on a queued row (I6). */
  fenceEffect: ToolEffect | '';
  fenceCallId: string;
  /** A write that must not be made twice was finished: such a run only ever goes on from its checkpoint (D-21). */
  hasNonIdempotentEffect: boolean;
  /** A write that was fenced when its worker died and must be examined before anything else of the turn. */
  recoverCallId: string;
  hold: Hold;
  nextAttemptAtMs: number;
  /** Last wait after an unreachable endpoint; doubles up to ten minutes, 0 after any answer. */
  offlineDelayMs: number;
  /** Since when the endpoint cannot be reached; 0 after any answer. */
  offlineSinceMs: number;
  /** An approved write does not start earlier; until then its decider may withdraw. */
  notBeforeAtMs: number;
  rounds: number;
  maxRounds: number;
  inputTokens: number;
  outputTokens: number;
  /** What is known of the cost. Null = no answer had one; 0 = reported as free. */
  costMicros: number | null;
  /** Answers nobody knows the cost of: above 0, `costMicros` is only the least the run cost. */
  unpricedAnswers: number;
  isTruncated: boolean;
  endReason: EndReason | '';
  /** Type name of the failure, never its message. */
  errorClass: string;
  pendingTool: string;
  pendingEffect: ToolEffect | '';
  pendingTarget: string;
  turnDigest: string;
  /** +1 whenever other previews are shown; never reset, so no two cards of a run share one. */
  previewRevision: number;
  /** How often an approval of the current turn came back because the target had changed. */
  bounceCount: number;
  /** Number of the decision that the next or current resume carries out; 0 = none. */
  decisionNumber: number;
  lastDecisionNumber: number;
  /** Sequence of the newest event; -1 before the first. */
  lastSequence: number;
  createdAtMs: number;
  queuedAtMs: number;
  startedAtMs: number;
  waitingSinceMs: number;
  finishedAtMs: number;
}

/** What a caller asks a run to do. Sealed at rest. Form 1 (of 1) is the first. */
export interface RunRequest {
  v: 1;
  messages: Message[];
  /** Only these tools; null = all that the configuration grants; [] = none. */
  allowedToolNames: string[] | null;
  temperature: number | null;
  maxOutputTokens: number | null;
}

/**
 * The turn a person decides about or answers: every call of it, with what each would change or asks. Sealed at rest.
 * Form 2 (of 2) says how its tools were defined and what people edited; form 1 was never released.
 */
export interface PendingTurn {
  v: 2;
  round: number;
  calls: ToolCall[];
  previews: CallPreview[];
  /** Not empty: the turn waits for answers, not for an approval. */
  questions: CallQuestion[];
  /** Calls whose preview moved since the last approval; a mark for the card, never compared. */
  staleCallIds: string[];
  /** Digest of each tool of the turn as it was defined when the card was made, by name; a tool nobody knew has none. */
  definitions: Record<string, string>;
  /** What people changed before anybody approved, by call. */
  edits: Record<string, CallEdit>;
}

/** Arguments that a person put in place of the model's. */
export interface CallEdit {
  /** What the model had asked for. */
  original: JsonObject;
  /** Everybody who edited the call, operator ids, each once. */
  editedBy: number[];
}

/** A person's decision, stored once and carried out by a worker. Sealed at rest. */
export type Decision = ApprovalDecision | InputDecision;

/** How a decision came about. */
export interface Trigger {
  /** The way it came in, as the host knows it. */
  surface: Surface;
  /** What the window says of how it was made; nobody can prove it. */
  claims: TriggerClaims | null;
}

/** Form 2 (of 2): verdicts by call, note and trigger; form 1 had one answer for the whole turn and was never released. */
interface DecidedTurn {
  v: 2;
  number: number;
  /** Operator id; 0 = a service account. */
  decidedBy: number;
  decidedAtMs: number;
  turnDigest: string;
  previewRevision: number;
  /** Null = nobody said. */
  trigger: Trigger | null;
}

export interface ApprovalDecision extends DecidedTurn {
  kind: 'approval';
  /** By call; all calls of a turn have the same one for now. */
  verdicts: Record<string, Verdict>;
  denialReason: DenialReason | null;
  /** A person's own words with a denial; the model reads them, no event does. '' = none. */
  note: string;
  /** Released although no readable preview showed a write, or a call was withheld from who decided. */
  isBlind: boolean;
}

/** Whether a decision lets its turn run. */
export const isApproval = (decision: Decision): decision is ApprovalDecision =>
  decision.kind === 'approval' && Object.values(decision.verdicts).every((verdict) => verdict === 'approved');

export interface InputDecision extends DecidedTurn {
  kind: 'input';
  answers: Answers;
}

/** What a person entered, by call. Every question of the turn has its entry. */
export type Answers = Record<string, JsonObject>;

/** How a run ended, in words for a person. Sealed at rest. Form 1 (of 1) is the first. `failure` is one of our own sentences. */
export interface RunResult {
  v: 1;
  answer: string;
  failure: string;
}

/** What one provider answer used. Null cost = the provider did not say. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number | null;
}

/** A model that was asked in vain. */
export type ModelAttempt = {
  configuration: string;
  failureClass: FailureClass;
  durationMs: number;
};

/** An event before the store gives it a sequence, a time and its place in the chain. */
export interface EventDraft {
  kind: EventKind;
  round: number;
  durationMs: number;
  payload: JsonObject;
}

/** A stored event. `hash` covers every other field and `previousHash`. */
export interface RunEvent extends EventDraft {
  runId: string;
  sequence: number;
  attempt: number;
  atMs: number;
  previousHash: string;
  hash: string;
}

/** Why a write needs a person to look: nobody can tell whether it happened, or it happened outside its run. */
export type UncertainCause = 'interrupted' | 'footprint_unknown' | 'orphaned';

/**
 * A write whose outcome a person must establish. `detail` is sealed at rest, with its form.
 * Form 1 (of 1) says its form; one from before holds the same without saying so.
 */
export interface UncertainWrite {
  callId: string;
  toolName: string;
  effect: ToolEffect;
  target: WriteTarget | null;
  cause: UncertainCause;
  detail: { call: ToolCall; preview: CallPreview | null };
}

export const TERMINAL_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];
export const isTerminal = (status: RunStatus): boolean => TERMINAL_STATUSES.includes(status);
export const isWaiting = (status: RunStatus): boolean =>
  status === 'waiting_for_approval' || status === 'waiting_for_input';

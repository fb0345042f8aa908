import { Type, type Static } from 'typebox';
import { END_REASONS, HOLDS, RUN_MODES, RUN_STATUSES, TOOL_EFFECTS } from '../vocabulary.ts';

const Count = Type.Integer();
/** Epoch milliseconds, 0 = not yet. */
const AtMs = Type.Integer();

/** One run as lists and `show` present it: the row without anything sealed. */
export const RunView = Type.Object({
  runId: Type.String(),
  label: Type.String(),
  status: Type.Enum(RUN_STATUSES),
  mode: Type.Enum(RUN_MODES),
  configuration: Type.String(),
  initiatorId: Count,
  pendingTool: Type.String(),
  pendingEffect: Type.Enum(['', ...TOOL_EFFECTS]),
  pendingTarget: Type.String(),
  /** What a running segment does right now. */
  phase: Type.Enum(['', 'model', 'tools']),
  /** Why a queued run is not carried out although it is due. */
  hold: Type.Enum(HOLDS),
  rounds: Count,
  maxRounds: Count,
  inputTokens: Count,
  outputTokens: Count,
  /** What is known of the cost; null = no answer had one. */
  costMicros: Type.Union([Count, Type.Null()]),
  /** Answers nobody knows the cost of: above 0, `costMicros` is only the least the run cost. */
  unpricedAnswers: Count,
  isTruncated: Type.Boolean(),
  endReason: Type.Enum(['', ...END_REASONS]),
  errorClass: Type.String(),
  attempt: Count,
  createdAtMs: AtMs,
  startedAtMs: AtMs,
  /** When a queued run is due. */
  nextAttemptAtMs: AtMs,
  waitingSinceMs: AtMs,
  finishedAtMs: AtMs,
});
export type RunView = Static<typeof RunView>;

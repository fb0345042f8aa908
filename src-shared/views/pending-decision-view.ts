import { Type, type Static } from 'typebox';
import { Preview } from '../preview.ts';
import { Refusal } from '../refusals.ts';
import { TOOL_EFFECTS, UNREADABLE_REASONS } from '../vocabulary.ts';
import { WriteTarget } from '../write-target.ts';

/** One call of the turn that waits for a person. */
export const PendingCallView = Type.Object({
  id: Type.String(),
  toolName: Type.String(),
  effect: Type.Enum(TOOL_EFFECTS),
  /** Not null: this person may not use the tool, so neither preview nor values are shown; only names and sizes of the arguments. */
  withheld: Type.Union([Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })), Type.Null()]),
  /** Plain JSON, never to be rendered as anything but text. Empty where it is withheld. */
  arguments: Type.Record(Type.String(), Type.Unknown()),
  /** Not null: a person put these arguments in place of what the model had asked for. */
  edit: Type.Union([Type.Object({ original: Type.Record(Type.String(), Type.Unknown()) }), Type.Null()]),
  /** Null for a call that changes nothing or is not offered any more. */
  preview: Type.Union([Preview, Type.Null()]),
  target: Type.Union([WriteTarget, Type.Null()]),
  /** Path of the file or folder behind the target's name, as the configuration has it now; '' = it has none of that name. */
  place: Type.String(),
  /** The target changed since the last approval of this turn; nothing was written. */
  isStale: Type.Boolean(),
});
export type PendingCallView = Static<typeof PendingCallView>;

/** What one call of the turn asks a person. */
export const PendingQuestionView = Type.Object({
  callId: Type.String(),
  toolName: Type.String(),
  /**
   * JSON Schema of an object, one property for each value; plain JSON from a tool, its texts perhaps from a model. Only the
   * names of the values for somebody who may not answer.
   */
  schema: Type.Record(Type.String(), Type.Unknown()),
});
export type PendingQuestionView = Static<typeof PendingQuestionView>;

/**
 * The card: everything a person needs to decide, made from the committed row alone,
 * so a reload, a second window and a restart show the same. `turnDigest` and
 * `previewRevision` are sent back with the decision and bind it to this card.
 * Source: runtime.md D-01; human-decisions.md §15.2.
 */
export const PendingDecisionView = Type.Object({
  runId: Type.String(),
  label: Type.String(),
  configuration: Type.String(),
  initiatorId: Type.Integer(),
  /** The owner's name; '' = nobody, or a person who is gone. */
  initiatorName: Type.String(),
  waitingSinceMs: Type.Integer(),
  /** When the run ends by itself if nobody decides; 0 = never. */
  expiresAtMs: Type.Integer(),
  rounds: Type.Integer(),
  maxRounds: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  effect: Type.Enum(['', ...TOOL_EFFECTS]),
  turnDigest: Type.String(),
  previewRevision: Type.Integer(),
  /** How often an approval came back because the target had changed. */
  bounceCount: Type.Integer(),
  /** What the run was asked to do; '' = it cannot be read. */
  request: Type.String(),
  /** The assistant's last words before the turn. */
  assistantText: Type.String(),
  /** Why an approval by this person would be refused whatever the card shows; null = it would not. They may still deny. */
  approvalBar: Type.Union([Refusal, Type.Null()]),
  /** Not empty: the run waits for answers, not for an approval. Every question is answered at once. */
  questions: Type.Array(PendingQuestionView),
  /** Why answers by this person would be refused whatever they enter; null = they would not, or nothing is asked. */
  answerBar: Type.Union([Refusal, Type.Null()]),
  /** Null = the turn cannot be decided; the run can only be cancelled. */
  calls: Type.Union([Type.Array(PendingCallView), Type.Null()]),
  /** Why `calls` is null; null where it is not. */
  unreadable: Type.Union([Type.Enum(UNREADABLE_REASONS), Type.Null()]),
});
export type PendingDecisionView = Static<typeof PendingDecisionView>;

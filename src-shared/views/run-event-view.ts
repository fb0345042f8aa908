import { Type, type Static } from 'typebox';
import { ATTRIBUTIONS, EVENT_KINDS } from '../vocabulary.ts';

/** One recorded step. Its details hold no content at any privacy level; texts in them may come from a model. */
export const RunEventView = Type.Object({
  sequence: Type.Integer(),
  kind: Type.Enum(EVENT_KINDS),
  round: Type.Integer(),
  attempt: Type.Integer(),
  atMs: Type.Integer(),
  durationMs: Type.Number(),
  /** Who decided, took back or cancelled; '' = nobody did, or a person who is gone. */
  actorName: Type.String(),
  /** Of an approval; '' of everything else. */
  attribution: Type.Enum(['', ...ATTRIBUTIONS]),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});
export type RunEventView = Static<typeof RunEventView>;

import { Type, type Static } from 'typebox';
import { EVENT_KINDS } from '../vocabulary.ts';

/** One recorded step. The payload is what the run's privacy level kept; text in it may come from a model. */
export const RunEventView = Type.Object({
  sequence: Type.Integer(),
  kind: Type.Enum(EVENT_KINDS),
  round: Type.Integer(),
  attempt: Type.Integer(),
  atMs: Type.Integer(),
  durationMs: Type.Number(),
  /** Who decided, took back or cancelled; '' = nobody did, or a person who is gone. */
  actorName: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
});
export type RunEventView = Static<typeof RunEventView>;

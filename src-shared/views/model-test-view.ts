import { Type, type Static } from 'typebox';
import { FAILURE_CLASSES } from '../vocabulary.ts';

/** What one question to a model came to. Texts from outside are bounded and hold no key. */
export const ModelTestView = Type.Union([
  Type.Object({
    reached: Type.Literal(true),
    durationMs: Type.Number(),
    /** The first words of its answer; from a model, so never rendered as anything but text. */
    answer: Type.String(),
    /** Whether it called the tool it was asked to call; without tools an agent can only talk. */
    callsTools: Type.Boolean(),
  }),
  Type.Object({
    reached: Type.Literal(false),
    failureClass: Type.Enum(FAILURE_CLASSES),
    /** What went wrong and what to do, in our own words. */
    sentence: Type.String(),
    /** What the server or the network itself said, redacted; '' = nothing. */
    detail: Type.String(),
  }),
]);
export type ModelTestView = Static<typeof ModelTestView>;

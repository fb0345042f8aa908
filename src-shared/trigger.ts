import { Type, type Static } from 'typebox';

/** The ways a decision comes in. */
export const SURFACES = ['window', 'browser', 'command_line'] as const;
export type Surface = (typeof SURFACES)[number];

/** What a page says of how a decision was made. Kept as a claim: whoever holds the page can say anything. */
export const TriggerClaims = Type.Object(
  {
    via: Type.Union([Type.Literal('keyboard'), Type.Literal('pointer')]),
  },
  { additionalProperties: false },
);
export type TriggerClaims = Static<typeof TriggerClaims>;

import { Type, type Static } from 'typebox';
import { TRUST_ZONES } from '../vocabulary.ts';

const NamedPath = Type.Object({ name: Type.String(), path: Type.String() });

/** A configuration as a person may see it. The key itself never leaves the host. */
export const ConfigurationView = Type.Object({
  id: Type.String(),
  identifier: Type.String(),
  isActive: Type.Boolean(),
  model: Type.Union([
    /** `example` is a prompt that the embedded script has an answer for; '' = none known. */
    Type.Object({ kind: Type.Literal('scripted'), name: Type.String(), example: Type.String() }),
    Type.Object({
      kind: Type.Literal('openai_compatible'),
      baseUrl: Type.String(),
      modelId: Type.String(),
      hasKey: Type.Boolean(),
    }),
  ]),
  systemPrompt: Type.String(),
  databases: Type.Array(NamedPath),
  workspaces: Type.Array(NamedPath),
  requiresSecondApprover: Type.Boolean(),
  zone: Type.Enum(TRUST_ZONES),
  /** Kinds of places its model may not be given anything of: it runs too far away for them. */
  withheld: Type.Array(Type.Enum(['files', 'records'])),
});
export type ConfigurationView = Static<typeof ConfigurationView>;

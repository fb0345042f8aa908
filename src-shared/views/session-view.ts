import { Type, type Static } from 'typebox';

/** Who sits here and at what. */
export const SessionView = Type.Object({
  operatorName: Type.String(),
  isAdmin: Type.Boolean(),
  /** Where the page runs. */
  surface: Type.Enum(['window', 'browser']),
  version: Type.String(),
  /** Path of the database file. */
  database: Type.String(),
  keyProtection: Type.Enum(['none', 'passphrase']),
});
export type SessionView = Static<typeof SessionView>;

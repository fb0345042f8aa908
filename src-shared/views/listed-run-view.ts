import { Type, type Static } from 'typebox';
import { ATTRIBUTIONS } from '../vocabulary.ts';
import { RunView } from './run-view.ts';

/** A run as a row of a list. It says how somebody approved, never who. */
export const ListedRunView = Type.Object({
  ...RunView.properties,
  /** Of a run that has ended; '' = nothing to say. */
  attribution: Type.Enum(['', ...ATTRIBUTIONS]),
  /** When a run that waits ends by itself; epoch milliseconds, 0 = never. */
  expiresAtMs: Type.Integer(),
});
export type ListedRunView = Static<typeof ListedRunView>;

import { Type, type Static } from 'typebox';
import { RunView } from './run-view.ts';

/** One run as its own screen shows it. `answer` and `failure` are empty while it goes on. */
export const RunDetailView = Type.Object({
  run: RunView,
  /** The owner's name; '' = nobody, or a person who is gone. */
  initiatorName: Type.String(),
  answer: Type.String(),
  /** One of our own sentences on why it failed. */
  failure: Type.String(),
  mayCancel: Type.Boolean(),
  /** The run waits for a later try, and this person may try it now. */
  mayRetry: Type.Boolean(),
  /** Until when this person may take their approval back; 0 = not, or not any more. */
  withdrawUntilMs: Type.Integer(),
});
export type RunDetailView = Static<typeof RunDetailView>;

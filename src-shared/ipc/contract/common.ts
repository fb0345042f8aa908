import { Type } from 'typebox';
import { exactly } from '../entry.ts';

/** A run's id as its creator made it. Any text is looked up; a wrong one is an unknown run. */
export const RunId = Type.String({ minLength: 1, maxLength: 64 });

/** Most inputs name one run and nothing else. */
export const OfRun = exactly({ runId: RunId });

/** A text field of a form; what is too long for the host is said by a rule, not by the channel. */
export const formText = (maxLength: number) => Type.String({ maxLength });

import { Type } from 'typebox';
import { InboxView } from '../../views/inbox-view.ts';
import { exactly, query } from '../entry.ts';

/** What needs a person, and what happened lately. Kept up to date by `runs.changed`. */
export const inbox = {
  'inbox.overview': query({
    input: exactly({ waitingLimit: Type.Integer({ minimum: 1, maximum: 10_000 }) }),
    output: InboxView,
  }),
} as const;

import { Type, type Static, type TSchema } from 'typebox';
import { RunSearchView } from '../../views/run-search-view.ts';
import { MAX_PAGE_LENGTH, MAX_SEARCH_LENGTH } from '../../run-limits.ts';
import { RUN_STATUSES, STATUS_GROUPS } from '../../vocabulary.ts';
import { exactly, query } from '../entry.ts';

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Name = orNull(Type.String({ maxLength: 300 }));

/** What is looked for; null = whatever. */
const RunFilterInput = exactly({
  text: orNull(Type.String({ maxLength: MAX_SEARCH_LENGTH })),
  group: orNull(Type.Enum(STATUS_GROUPS)),
  status: orNull(Type.Enum(RUN_STATUSES)),
  tool: Name,
  target: Name,
  configuration: Name,
  initiator: Name,
  sinceMs: orNull(Type.Integer({ minimum: 0 })),
});
export type RunFilterInput = Static<typeof RunFilterInput>;

/** Finding runs again. */
export const search = {
  /** Runs the person may see that fit, the newest first. Kept up to date by `runs.changed`. */
  'runs.search': query({
    input: exactly({
      filter: RunFilterInput,
      /** `next` of the page before; null = the first page. What is no such thing is refused. */
      after: orNull(Type.String({ pattern: '^[1-9a-z][0-9a-z]{0,9}$' })),
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_LENGTH }),
      withFacets: Type.Boolean(),
    }),
    output: RunSearchView,
  }),
} as const;

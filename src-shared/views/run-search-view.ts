import { Type, type Static } from 'typebox';
import { ListedRunView } from './listed-run-view.ts';

/** Counts are exact up to this number; one more is "more than that". */
export const EXACT_COUNT = 50;

const Count = Type.Integer({ minimum: 0, maximum: EXACT_COUNT + 1 });
const Facet = Type.Array(Type.Object({ value: Type.String(), count: Count }));

/** A page of runs that were looked for. */
export const RunSearchView = Type.Object({
  /** The newest first. */
  runs: Type.Array(ListedRunView),
  /** Runs that fit from here on. */
  count: Count,
  /** Asks for the next page; null = this is the last. */
  next: Type.Union([Type.String(), Type.Null()]),
  /** What a list could be narrowed to, at most 50 values each; null = not asked for. */
  facets: Type.Union([
    Type.Object({ groups: Facet, tools: Facet, configurations: Facet, initiators: Facet }),
    Type.Null(),
  ]),
});
export type RunSearchView = Static<typeof RunSearchView>;

import type { RunStatus, StatusGroup } from '../../src-shared/vocabulary.ts';
import type { RunRecord } from './run.ts';

/** Which runs are looked for. Every part that is not null has to fit. */
export interface RunFilter {
  /** As a person typed it; every word has to occur, the last one at least as the beginning of a word. */
  text: string | null;
  group: StatusGroup | null;
  status: RunStatus | null;
  /** A tool the run proposed or ran. */
  tool: string | null;
  /** A record or file it would write, as `describeTarget` names it. */
  target: string | null;
  configuration: string | null;
  /** Name of the person or service account that started it. */
  initiator: string | null;
  /** Started at this moment or later; epoch milliseconds. */
  sinceMs: number | null;
}

/** No condition at all. */
export const ANY_RUN: RunFilter = {
  text: null,
  group: null,
  status: null,
  tool: null,
  target: null,
  configuration: null,
  initiator: null,
  sinceMs: null,
};

/** One page of a search, for one person. */
export interface SearchQuery extends RunFilter {
  /** Only runs of this person; null = of everybody. */
  ownerId: number | null;
  /** Whether words of prompts count: who may decide about a run of somebody else may not read it. */
  seesPrompts: boolean;
  /** Only runs before this key; null = the newest. */
  beforeKey: number | null;
  /** 1 to 200. */
  limit: number;
  withFacets: boolean;
}

/** A value that runs have, and how many have it, counted to `COUNT_CAP`. */
export interface FacetValue {
  value: string;
  count: number;
}

/** What a list could be narrowed to, of the runs the person may see, whatever else is asked for. */
export type SearchFacets = Record<'groups' | 'tools' | 'configurations' | 'initiators', FacetValue[]>;

export interface SearchPage {
  /** The newest first. */
  runs: RunRecord[];
  /** Runs that fit from here on, counted to `COUNT_CAP`. */
  count: number;
  /** The next page begins before it; null = this is the last. */
  nextKey: number | null;
  facets: SearchFacets | null;
}

/** Finds runs. Faults: `SearchFailedError`. */
export interface RunSearch {
  search(query: SearchQuery): Promise<SearchPage>;
}

/** A count that reaches it means "more than 50". */
export const COUNT_CAP = 51;

/** The search gave no answer, which is not the same as an empty one. */
export class SearchFailedError extends Error {
  constructor(reason: string) {
    super(`The search gave no answer: ${reason}`);
    this.name = 'SearchFailedError';
  }
}

export const EMPTY_PAGE: SearchPage = { runs: [], count: 0, nextKey: null, facets: null };

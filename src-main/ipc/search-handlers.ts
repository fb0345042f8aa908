import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { RunSearchView } from '../../src-shared/views/run-search-view.ts';
import type { SearchPage } from '../domain/run-search.ts';
import type { WantedRuns } from '../runtime/find-runs.ts';
import { cursorOf, keyOf } from './page-cursor.ts';
import { runView } from './run-view.ts';

export type FindRuns = (wanted: WantedRuns) => Promise<SearchPage>;

/** Finding runs again, for one signed-in person. */
export function createSearchHandlers(find: FindRuns): Pick<Handlers, 'runs.search'> {
  return {
    async 'runs.search'({ filter, after, limit, withFacets }) {
      return searchView(await find({ ...filter, beforeKey: after === null ? null : keyOf(after), limit, withFacets }));
    },
  };
}

export const searchView = ({ runs, count, nextKey, facets }: SearchPage): RunSearchView => ({
  runs: runs.map(runView),
  count,
  next: nextKey === null ? null : cursorOf(nextKey),
  facets,
});

import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { RunSearchView } from '../../src-shared/views/run-search-view.ts';
import type { FoundRuns, WantedRuns } from '../runtime/find-runs.ts';
import { cursorOf, keyOf } from './page-cursor.ts';
import { listedRunView } from './run-view.ts';

export type FindRuns = (wanted: WantedRuns) => Promise<FoundRuns>;

/** Finding runs again, for one signed-in person. */
export function createSearchHandlers(find: FindRuns): Pick<Handlers, 'runs.search'> {
  return {
    async 'runs.search'({ filter, after, limit, withFacets }) {
      return searchView(await find({ ...filter, beforeKey: after === null ? null : keyOf(after), limit, withFacets }));
    },
  };
}

export const searchView = ({ runs, count, nextKey, facets }: FoundRuns): RunSearchView => ({
  runs: runs.map(listedRunView),
  count,
  next: nextKey === null ? null : cursorOf(nextKey),
  facets,
});

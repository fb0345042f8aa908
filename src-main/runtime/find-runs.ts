import { withoutInvisible } from '../../src-shared/plain-text.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import { EMPTY_PAGE, type RunFilter, type RunSearch, type SearchPage } from '../domain/run-search.ts';
import type { RunStore } from '../store/run-store.ts';
import { listedRuns, type ListedRun, type ListPorts } from './listed-runs.ts';
import { readableOwner, visibleOwner } from './inbox-overview.ts';

/** What somebody looks for, and which page of it. */
export interface WantedRuns extends RunFilter {
  beforeKey: number | null;
  limit: number;
  withFacets: boolean;
}

export interface FoundRuns extends SearchPage {
  runs: ListedRun[];
}

/**
 * One page of the runs an actor may see that fit. What is not there and what is not for the actor look the same.
 * Faults: `SearchFailedError`.
 */
export async function findRuns(
  { store, search, report }: ListPorts & { store: RunStore; search: RunSearch },
  actor: Actor,
  wanted: WantedRuns,
): Promise<FoundRuns> {
  const operator = operatorIdOf(actor) > 0 ? await store.operator(operatorIdOf(actor)) : null;
  const ownerId = visibleOwner(operator);
  if (ownerId === 'none') return { ...EMPTY_PAGE, runs: [] };
  // Where nothing can be seen, nothing was typed.
  const text = wanted.text !== null && withoutInvisible(wanted.text).trim() === '' ? null : wanted.text;
  const page = await search.search({ ...wanted, text, ownerId, seesPrompts: readableOwner(operator) === ownerId });
  return { ...page, runs: await listedRuns({ store, report }, page.runs) };
}

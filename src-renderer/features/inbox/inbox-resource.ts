import type { Client } from '../../../src-shared/ipc/contract.ts';
import type { InboxView } from '../../../src-shared/views/inbox-view.ts';
import type { RunView } from '../../../src-shared/views/run-view.ts';
import { createResource, type Resource } from '../../api/resource.ts';

/** What needs this person and what happened lately, kept up to date. */
export function createInbox(client: Client, waitingLimit: number): Resource<InboxView> {
  return createResource(
    () => client.query('inbox.overview', { waitingLimit }),
    (changed) => client.subscribe('runs.changed', changed),
  );
}

/** Every run of the list from top to bottom: what J and K step through. */
export const listedRuns = (inbox: InboxView): RunView[] => [...inbox.waiting, ...inbox.active, ...inbox.recent];

/** The run `steps` below or above the current one; the first or last where there is none. Null = an empty list. */
export function neighbourOf(runs: RunView[], runId: string | null, steps: 1 | -1): RunView | null {
  const index = runs.findIndex((run) => run.runId === runId);
  if (index < 0) return (steps === 1 ? runs.at(0) : runs.at(-1)) ?? null;
  return runs[Math.min(Math.max(index + steps, 0), runs.length - 1)] ?? null;
}

/** The next run after the current one that waits for a person, from the top again after the last. Null = none does. */
export function nextUndecided(inbox: InboxView, runId: string | null): RunView | null {
  const waiting = inbox.waiting.filter((run) => run.runId !== runId);
  const index = inbox.waiting.findIndex((run) => run.runId === runId);
  return waiting[index < 0 || index >= waiting.length ? 0 : index] ?? null;
}

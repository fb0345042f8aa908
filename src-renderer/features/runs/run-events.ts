import type { Client } from '../../../src-shared/ipc/contract.ts';
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { createResource, type Resource } from '../../api/resource.ts';
import { onRunChanged } from '../../api/run-changes.ts';

/** At most so many come at once; a full answer means that there are more. */
const PAGE = 500;

/** What happened to a run. Events never change, so only the new ones are asked for. */
export function createRunEvents(client: Client, runId: string): Resource<RunEventView[]> {
  let events: RunEventView[] = [];
  async function load(): Promise<RunEventView[]> {
    for (;;) {
      const page = await client.query('runs.events', { runId, afterSequence: events.at(-1)?.sequence ?? -1 });
      events = [...events, ...page];
      if (page.length < PAGE) return events;
    }
  }
  return createResource(load, (changed) => onRunChanged(client, runId, changed));
}

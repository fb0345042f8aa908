import type { Client } from '../../src-shared/ipc/contract.ts';
import type { RunDetailView } from '../../src-shared/views/run-detail-view.ts';
import { createResource, type Resource } from './resource.ts';
import { onRunChanged } from './run-changes.ts';

/** No id of a run is longer, so an address that names one asks for nothing. */
const LONGEST_RUN_ID = 64;

/** One run as it stands; null = unknown, or not for this person. */
export function createRunDetail(client: Client, runId: string): Resource<RunDetailView | null> {
  return createResource(
    async () => (runId.length > LONGEST_RUN_ID ? null : client.query('runs.detail', { runId })),
    (changed) => onRunChanged(client, runId, changed),
  );
}

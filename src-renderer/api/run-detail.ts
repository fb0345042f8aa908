import type { Client } from '../../src-shared/ipc/contract.ts';
import type { RunDetailView } from '../../src-shared/views/run-detail-view.ts';
import { createResource, type Resource } from './resource.ts';
import { onRunChanged } from './run-changes.ts';

/** One run as it stands; null = unknown, or not for this person. */
export function createRunDetail(client: Client, runId: string): Resource<RunDetailView | null> {
  return createResource(
    () => client.query('runs.detail', { runId }),
    (changed) => onRunChanged(client, runId, changed),
  );
}

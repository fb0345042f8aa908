import type { Client } from '../../src-shared/ipc/contract.ts';

/** Tells when this run may have changed. Returns the way to stop. */
export function onRunChanged(client: Client, runId: string, changed: () => void): () => void {
  return client.subscribe('runs.changed', ({ runIds }) => {
    if (runIds.length === 0 || runIds.includes(runId)) changed();
  });
}

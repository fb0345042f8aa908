import type { Client } from '../../src-shared/ipc/contract.ts';
import type { HealthView } from '../../src-shared/views/health-view.ts';
import { createResource, type Resource } from './resource.ts';

/** How queue and workers are doing, kept up to date. */
export function createHealth(client: Client): Resource<HealthView> {
  return createResource(
    () => client.query('host.health', {}),
    (changed) => client.subscribe('host.healthChanged', changed),
  );
}

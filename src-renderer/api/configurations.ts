import type { Client } from '../../src-shared/ipc/contract.ts';
import type { ConfigurationView } from '../../src-shared/views/configuration-view.ts';
import { createResource, type Resource } from './resource.ts';

/** Every configuration, kept up to date. */
export function createConfigurations(client: Client): Resource<ConfigurationView[]> {
  return createResource(
    () => client.query('configurations.list', {}),
    (changed) => client.subscribe('configurations.changed', changed),
  );
}

import type { Client } from '../../src-shared/ipc/contract.ts';
import type { SessionView } from '../../src-shared/views/session-view.ts';
import { createResource, type Resource } from './resource.ts';

/** Who sits here. Stays the same until the page is loaded again; asked again after a gap in the connection. */
export function createSession(client: Client): Resource<SessionView> {
  return createResource(
    () => client.query('host.session', {}),
    (changed) => client.subscribe('configurations.changed', changed),
  );
}

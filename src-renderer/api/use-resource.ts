import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { HostClient } from './host-client.ts';
import { useClient } from './client-context.ts';
import type { Resource, ResourceState } from './resource.ts';

/**
 * A resource followed while the component is mounted.
 *
 * @param make  creates it; called again only when `key` changes
 */
export function useResource<T>(
  make: (client: HostClient) => Resource<T>,
  key = '',
): ResourceState<T> & Pick<Resource<T>, 'reload'> {
  const client = useClient();
  // The key stands for everything `make` closes over.
  const resource = useMemo(() => make(client), [client, key]);
  useEffect(() => resource.follow(), [resource]);
  return { ...useStore(resource.store), reload: resource.reload };
}

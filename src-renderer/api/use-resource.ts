import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { HostClient } from './host-client.ts';
import { useClient } from './client-context.ts';
import type { Resource, ResourceState } from './resource.ts';

type Followed<T> = ResourceState<T> & Pick<Resource<T>, 'reload'>;

export function useResource<T>(make: (client: HostClient) => Resource<T>): Followed<T>;
export function useResource<T, S>(make: (client: HostClient, subject: S) => Resource<T>, subject: S): Followed<T>;
/**
 * A resource followed while the component is mounted.
 *
 * @param make  a function of a module, not one made during rendering
 * @param subject  what it is about, e.g. a run's id; another subject is another resource
 */
export function useResource<T, S>(
  make: (client: HostClient, subject: S | undefined) => Resource<T>,
  subject?: S,
): Followed<T> {
  const client = useClient();
  const resource = useMemo(() => make(client, subject), [client, make, subject]);
  useEffect(() => resource.follow(), [resource]);
  return { ...useStore(resource.store), reload: resource.reload };
}

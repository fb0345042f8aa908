import { createContext, use } from 'react';
import type { HostClient } from './host-client.ts';

export const ClientContext = createContext<HostClient | null>(null);

/** The client of this page's host. Faults: outside of the console. */
export function useClient(): HostClient {
  const client = use(ClientContext);
  if (!client) throw new Error('There is no host client around this part of the page.');
  return client;
}

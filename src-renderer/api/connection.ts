import { createStore, type StoreApi } from 'zustand/vanilla';

/**
 * Whether the host can be reached. `lost` is tried again by itself; `signed_out` needs
 * a new address from the host: only a person can get one.
 */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'signed_out';

export type Connection = StoreApi<ConnectionState>;

export const createConnection = (first: ConnectionState): Connection => createStore<ConnectionState>(() => first);

/** Stores replace objects by merging; a plain word has to be replaced. */
export const setConnection = (connection: Connection, state: ConnectionState): void => connection.setState(state, true);

import type { ModelSettings } from './configuration.ts';

/** The server behind a model and how many runs it serves at once; 0 = any number. */
export interface Endpoint {
  endpoint: string;
  limit: number;
}

/** A model on this machine answers one request after the other: more at once only make all of them slow. */
const LOCAL_LIMIT = 1;
/** What a provider's ordinary account is sure to take; every worker of every process counts. */
const REMOTE_LIMIT = 8;

/**
 * Which server a model is and how much it may be asked at once: `wanted`, else what is
 * sure to work. Two configurations with the same host and port share one limit, whatever
 * their paths and models.
 * Source: architecture.md §2.
 */
export function endpointOf(model: ModelSettings, wanted: number | null = null): Endpoint {
  if (model.kind === 'scripted') return { endpoint: '', limit: 0 };
  const url = URL.canParse(model.baseUrl) ? new URL(model.baseUrl) : null;
  if (!url) return { endpoint: model.baseUrl, limit: wanted ?? REMOTE_LIMIT };
  return { endpoint: url.origin, limit: wanted ?? (isLocalHost(url.hostname) ? LOCAL_LIMIT : REMOTE_LIMIT) };
}

/** The host of an address as URLs write it; '' when it is none. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

/** This machine. */
export const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** A network of one's own, by address: what a name stands for is known only when it is looked up. */
export const isPrivateHost = (host: string): boolean =>
  /^10(\.\d+){3}$/.test(host) ||
  /^192\.168(\.\d+){2}$/.test(host) ||
  /^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/.test(host) ||
  /^\[f[cd][0-9a-f]{2}:/.test(host);

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
 * Which server a model is and how much it may be asked at once. Two configurations
 * with the same host and port share one limit, whatever their paths and models.
 * Source: architecture.md §2.
 */
export function endpointOf(model: ModelSettings): Endpoint {
  if (model.kind === 'scripted') return { endpoint: '', limit: 0 };
  const url = URL.canParse(model.baseUrl) ? new URL(model.baseUrl) : null;
  if (!url) return { endpoint: model.baseUrl, limit: REMOTE_LIMIT };
  return { endpoint: url.origin, limit: isLocal(url.hostname) ? LOCAL_LIMIT : REMOTE_LIMIT };
}

const isLocal = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

import { ModelError } from '../domain/model-client.ts';

/** Where and as whom a provider is asked. Proven usable: an address of ours and a key that fits into a header. */
export interface ProviderEndpoint {
  chatUrl: URL;
  /** Host and port, the only part of the address that appears in a sentence. */
  host: string;
  modelId: string;
  apiKey: string | null;
}

/**
 * Reads a configured base URL and key. The chat address is the base URL plus
 * `/chat/completions`; a trailing slash is tolerated, a query is kept, and whether
 * the base ends in `/v1` is the provider's business.
 * Faults: `ModelError` of class `configuration` for an address or key that cannot be used. Neither is repeated in the
 * sentence: an address may hold a password.
 */
export function readEndpoint(baseUrl: string, modelId: string, apiKey: string | null): ProviderEndpoint {
  const chatUrl = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : null;
  if (!chatUrl || !['http:', 'https:'].includes(chatUrl.protocol)) {
    throw new ModelError(
      'configuration',
      'The base URL of the model is not a web address. Enter one that starts with http:// or https://.',
    );
  }
  if (chatUrl.username || chatUrl.password) {
    throw new ModelError(
      'configuration',
      `The base URL for ${chatUrl.host} contains a user name or password. Remove it and store the key in its own field.`,
    );
  }
  chatUrl.hash = '';
  chatUrl.pathname = `${chatUrl.pathname.replace(/\/+$/, '')}/chat/completions`;
  return { chatUrl, host: chatUrl.host, modelId, apiKey: readKey(apiKey, chatUrl.host) };
}

/** A pasted key often brings a line break along; a blank key is none. */
function readKey(apiKey: string | null, host: string): string | null {
  const key = apiKey?.trim() ?? '';
  if (key === '') return null;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ModelError(
      'configuration',
      `The API key for ${host} contains a space, a line break or another character that no key has. Enter the key again.`,
    );
  }
  return key;
}

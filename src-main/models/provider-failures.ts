import type { IncomingHttpHeaders } from 'node:http';
import type { FailureClass } from '../../src-shared/vocabulary.ts';
import { classifyHttpStatus } from '../domain/failure-rules.ts';
import { ModelError } from '../domain/model-client.ts';
import { WaitedTooLong } from './chat-request.ts';
import { redactKey } from './key-redaction.ts';
import type { ProviderEndpoint } from './provider-endpoint.ts';
import { readRetryAfter } from './retry-after.ts';

/** Longest excerpt of a foreign text in a cause, in characters. Enough for a provider's own sentence, too short for a transcript. */
const MAX_FOREIGN_LENGTH = 300;

/**
 * A classified failure in our own words. The cause is a new error with the
 * redacted text of the original, never the original: that one may hold headers,
 * the request and the provider's whole answer.
 */
export function modelFailure(
  endpoint: ProviderEndpoint,
  failureClass: FailureClass,
  whatAndWhatToDo: string,
  foreign: unknown = null,
  retryAfterSeconds: number | null = null,
): ModelError {
  const sentence = `Model ${endpoint.modelId} at ${endpoint.host}: ${whatAndWhatToDo}`;
  const text = redactKey(describe(foreign), endpoint.apiKey).slice(0, MAX_FOREIGN_LENGTH);
  return new ModelError(failureClass, sentence, text === '' ? undefined : new Error(text), retryAfterSeconds);
}

/** The words of a foreign error and of what caused it, outermost first. */
function describe(foreign: unknown): string {
  const words: string[] = [];
  // Bounded: a cause may be its own ancestor.
  for (let current = foreign, depth = 0; current && depth < 5; depth += 1) {
    if (typeof current === 'string') words.push(current);
    if (!(current instanceof Error)) break;
    const code = 'code' in current && typeof current.code === 'string' ? ` ${current.code}` : '';
    words.push(`${current.name}${code}: ${current.message}`);
    current = current.cause;
  }
  return words.join(' <- ');
}

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at that address. Start the model server there, or correct the base URL.',
  ENOTFOUND: 'the name of that host could not be looked up. Check the network connection and the base URL.',
  EAI_AGAIN: 'the name of that host could not be looked up. Check the network connection and the base URL.',
  EHOSTUNREACH: 'no network path leads to that host. Check the network connection.',
  ENETUNREACH: 'no network path leads to that host. Check the network connection.',
  ENETDOWN: 'the network is down. Check the network connection.',
  ETIMEDOUT: 'the host did not answer. Check the network connection and the base URL.',
};

const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;
const NOT_TLS = /^(EPROTO|ERR_SSL_)/;

/** A failure of the connection itself, or of waiting for it. Source: runtime.md §1.4 `connection`. */
export function networkFailure(endpoint: ProviderEndpoint, error: unknown): ModelError {
  if (error instanceof WaitedTooLong) return waitFailure(endpoint, error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const unreachable = UNREACHABLE[code];
  if (unreachable) return modelFailure(endpoint, 'connection', unreachable, error);
  if (CERTIFICATE.test(code)) {
    return modelFailure(
      endpoint,
      'configuration',
      "the server's certificate is not trusted. Install its certificate authority on this machine, or correct the base URL.",
      error,
    );
  }
  if (NOT_TLS.test(code) || code.startsWith('HPE_')) {
    return modelFailure(
      endpoint,
      'configuration',
      'the server does not speak the protocol of the base URL. Check the port and whether it is http or https.',
      error,
    );
  }
  if (code === '')
    return modelFailure(endpoint, 'unknown', 'the request failed for an unexpected reason. See the log.', error);
  return modelFailure(
    endpoint,
    'connection',
    'the connection broke before the answer was complete. Try again; if it keeps happening, check the server.',
    error,
  );
}

function waitFailure(endpoint: ProviderEndpoint, wait: WaitedTooLong): ModelError {
  const limit = `${wait.waitedMs / 1000} s`;
  const sentences = {
    connect: `no connection came about within ${limit}. Check the network connection and the base URL.`,
    answer: `no answer began within ${limit}. Check that the server is not overloaded, or allow a longer wait in the configuration.`,
    stall: `the answer stopped in the middle for more than ${limit}. Check that the server is not overloaded, or allow a longer wait in the configuration.`,
  };
  return modelFailure(endpoint, 'connection', sentences[wait.phase], wait);
}

/**
 * A refusal by HTTP status. `body` is what the server said about it; it goes only
 * into the cause, and not at all when the key was refused: providers quote parts
 * of the key then, which no redaction can know.
 * Source: runtime.md §1.4.
 */
export function statusFailure(
  endpoint: ProviderEndpoint,
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): ModelError {
  if (status >= 300 && status <= 399) return redirectFailure(endpoint, status, headers.location);
  const failureClass = classifyHttpStatus(status);
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], nowMs);
  const foreign = `HTTP ${status}${failureClass === 'auth' ? '' : ` ${readProviderMessage(body)}`}`.trim();
  return modelFailure(endpoint, failureClass, statusSentence(status, endpoint), foreign, retryAfterSeconds);
}

function statusSentence(status: number, endpoint: ProviderEndpoint): string {
  const failureClass = classifyHttpStatus(status);
  if (failureClass === 'auth') {
    return endpoint.apiKey === null
      ? `the server asks for an API key (HTTP ${status}). Enter one in the configuration.`
      : `the server refused the API key (HTTP ${status}). Check the key and what it may use.`;
  }
  if (failureClass === 'rateLimit') {
    return 'the server takes no more requests for now (HTTP 429). Wait, or raise the limit at the provider.';
  }
  if (failureClass === 'serverError') {
    return `the server failed (HTTP ${status}). Try again later; if it keeps happening, check the server.`;
  }
  if (status === 404) {
    return 'the model or the path was not found (HTTP 404). Check the model name and the base URL in the configuration.';
  }
  return `the server did not accept the request (HTTP ${status}). Check the model's settings; the log has the server's reason.`;
}

/** Never followed: the key and the transcript belong to the configured address only. */
function redirectFailure(endpoint: ProviderEndpoint, status: number, location: string | undefined): ModelError {
  const target = location && URL.canParse(location, endpoint.chatUrl.href) ? new URL(location, endpoint.chatUrl) : null;
  const where = target ? ` to ${redactKey(target.origin, endpoint.apiKey)}` : '';
  return modelFailure(
    endpoint,
    'configuration',
    `the server sends us on${where} (HTTP ${status}), which is not followed. If that is the right server, make it the base URL.`,
  );
}

/**
 * An error that the provider reports inside an answer it had begun with HTTP 200.
 * A numeric code is read as a status; without one it is a failure of the server,
 * unless the provider calls it a fault of the request.
 */
export function reportedFailure(endpoint: ProviderEndpoint, reported: unknown): ModelError {
  const facts = typeof reported === 'object' && reported !== null ? (reported as Record<string, unknown>) : {};
  const words = [facts.type, facts.code].filter((word) => typeof word === 'string').join(' ');
  let failureClass = classifyHttpStatus(Number(facts.code ?? facts.status));
  if (failureClass === 'unknown') {
    if (/rate_limit/i.test(words)) failureClass = 'rateLimit';
    else if (/authentication|invalid_api_key/i.test(words)) failureClass = 'auth';
    else if (/invalid_request|not_found|context_length/i.test(words)) failureClass = 'clientError';
    else failureClass = 'serverError';
  }
  const foreign =
    failureClass === 'auth' ? 'reported in the answer' : readProviderMessage(JSON.stringify({ error: reported }));
  return modelFailure(
    endpoint,
    failureClass,
    "the server reported an error instead of an answer. Check the server and the model name; the log has the server's reason.",
    foreign,
  );
}

/** The provider's own sentence out of an error body; a body that has none is not repeated. */
function readProviderMessage(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: unknown; message?: unknown; detail?: unknown } | null;
    const error = parsed?.error;
    const inner = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    const message = inner ?? parsed?.message ?? parsed?.detail;
    return typeof message === 'string' ? message : '';
  } catch {
    return body.trim() === '' ? '' : '(the server sent no JSON about it)';
  }
}

import type { CallCollector } from './call-collector.ts';
import { modelFailure, reportedFailure } from './provider-failures.ts';
import type { ProviderEndpoint } from './provider-endpoint.ts';
import { createSseDecoder } from './sse-decoder.ts';

/** Larger than any answer of a model by far; bounds the memory a server gone wrong can take. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What is known of an answer while it is read. */
export interface AnswerProgress {
  calls: CallCollector;
  /** Some event carried a choice: the server does speak the protocol. */
  hasChoice: boolean;
  /** The model said why it stopped, or the server said that the answer is whole. */
  isFinished: boolean;
}

/**
 * Turns whatever the server sent into clean server-sent events for the SDK: only
 * the fields it reads, tool calls taken out into `progress.calls`. The SDK drops
 * or merges fragments it finds ambiguous and invents ids; calls are too important
 * for that. A plain JSON answer (no streaming) becomes a stream of one event.
 * Faults: `ModelError` — `unknown` for an answer that is not readable, `configuration`
 * for a server that does not speak this protocol, `connection` for one that ends
 * too early; the class the provider names for an error inside the answer.
 */
export async function* cleanAnswer(
  bytes: AsyncIterable<Uint8Array>,
  progress: AnswerProgress,
  endpoint: ProviderEndpoint,
): AsyncGenerator<string> {
  const decoder = createSseDecoder();
  const opening: string[] = [];
  let kind: BodyKind = 'blank';
  for await (const text of decodeText(bytes, endpoint)) {
    if (kind === 'blank') kind = bodyKind(text);
    if (kind === 'page') throw notChat(endpoint, 'a web page');
    if (kind !== 'events' || opening.length === 0) opening.push(text);
    if (kind !== 'events') continue;
    for (const data of decoder.push(text)) {
      if (data.trim() === '[DONE]') return yield* closeStream(progress);
      yield* cleanEvent(data, progress, endpoint);
    }
  }
  if (kind === 'json') yield* cleanWhole(opening.join(''), progress, endpoint);
  for (const data of decoder.end()) {
    if (data.trim() === '[DONE]') return yield* closeStream(progress);
    yield* cleanEvent(data, progress, endpoint);
  }
  proveFinished(progress, endpoint, opening.join(''));
}

type BodyKind = 'blank' | 'events' | 'json' | 'page';

/** What a body is shows in its first character; content types are often wrong. */
function bodyKind(text: string): BodyKind {
  const first = text.trimStart()[0];
  if (first === undefined) return 'blank';
  if (first === '{') return 'json';
  return first === '<' ? 'page' : 'events';
}

async function* decodeText(bytes: AsyncIterable<Uint8Array>, endpoint: ProviderEndpoint): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) {
      throw modelFailure(endpoint, 'unknown', 'the answer is larger than 64 MiB and was given up. Check the server.');
    }
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** `[DONE]` says the answer is whole even when no reason to stop was given. */
function* closeStream(progress: AnswerProgress): Generator<string> {
  if (progress.hasChoice && !progress.isFinished)
    yield eventText({ choices: [{ delta: {}, finish_reason: 'unstated' }] });
  progress.isFinished = true;
}

function proveFinished(progress: AnswerProgress, endpoint: ProviderEndpoint, opening: string): void {
  if (progress.isFinished) return;
  const isForeign = opening.trim() !== '' && !/^\s*(data|event|id|retry|:)/.test(opening);
  if (!progress.hasChoice && isForeign) throw notChat(endpoint, 'something else');
  throw modelFailure(
    endpoint,
    'connection',
    'the answer ended before it was complete. Try again; if it keeps happening, check the server.',
  );
}

function notChat(endpoint: ProviderEndpoint, received: string): Error {
  return modelFailure(
    endpoint,
    'configuration',
    `the server sent ${received} instead of a model's answer. Check the base URL: many servers need it to end in /v1.`,
  );
}

function* cleanEvent(data: string, progress: AnswerProgress, endpoint: ProviderEndpoint): Generator<string> {
  const event = parseObject(data);
  if (!event) {
    throw modelFailure(
      endpoint,
      'unknown',
      'a part of the answer is not valid JSON, so the answer was given up. Check the server and what stands in between.',
    );
  }
  if (event.error !== undefined && event.error !== null) throw reportedFailure(endpoint, event.error);
  if (event.object === 'error') throw reportedFailure(endpoint, event);
  const choice = Array.isArray(event.choices) ? asObject(event.choices[0]) : null;
  if (choice) yield* cleanChoice(choice, progress);
  const usage = readUsage(event.usage);
  if (usage) yield eventText({ choices: [], usage });
}

function* cleanChoice(choice: Record<string, unknown>, progress: AnswerProgress): Generator<string> {
  progress.hasChoice = true;
  const message = asObject(choice.delta) ?? asObject(choice.message) ?? {};
  progress.calls.add(message.tool_calls);
  const reason = typeof choice.finish_reason === 'string' && choice.finish_reason !== '' ? choice.finish_reason : null;
  if (reason !== null) progress.isFinished = true;
  const delta = {
    content: readContent(message.content),
    reasoning_content: readText(message.reasoning_content) ?? readText(message.reasoning),
    refusal: readText(message.refusal),
  };
  yield eventText({ choices: [{ delta, finish_reason: reason }] });
}

/** A whole answer in one JSON object. It needs no reason to stop: the end of the object is one. */
function* cleanWhole(text: string, progress: AnswerProgress, endpoint: ProviderEndpoint): Generator<string> {
  const body = parseObject(text);
  const hasAnswer = Array.isArray(body?.choices) && asObject(body.choices[0]) !== null;
  if (body && !hasAnswer && !body.error && body.object !== 'error') throw notChat(endpoint, 'other JSON');
  yield* cleanEvent(text, progress, endpoint);
  yield* closeStream(progress);
}

function readContent(content: unknown): unknown {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.filter((part) => typeof asObject(part)?.type === 'string') : null;
}

function readText(text: unknown): string | null {
  return typeof text === 'string' && text !== '' ? text : null;
}

/** The counts, or null when the server does not say: a missing count is not zero. */
function readUsage(usage: unknown): Record<string, number> | null {
  const counts = Object.entries(asObject(usage) ?? {}).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  );
  return counts.length > 0 ? Object.fromEntries(counts) : null;
}

function eventText(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

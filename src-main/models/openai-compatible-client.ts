import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ModelError, type ModelClient, type ModelPart, type ModelRequest } from '../domain/model-client.ts';
import { createCallCollector } from './call-collector.ts';
import { cleanAnswer, type AnswerProgress } from './chat-answer.ts';
import { readBody, sendChatRequest } from './chat-request.ts';
import type { ModelDependencies } from './model-dependencies.ts';
import { fillEmptyContent, toPrompt, toTools } from './prompt-mapping.ts';
import { readEndpoint, type ProviderEndpoint } from './provider-endpoint.ts';
import { modelFailure, networkFailure, statusFailure } from './provider-failures.ts';
import { proveTranscript } from './transcript-linter.ts';

/** A local model may think for a while before its first word. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** A host that is there answers a connection request within a second, even far away. */
const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/** Enough of an error body for the provider's sentence. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

export interface OpenAiCompatibleOptions {
  /** Everything before `/chat/completions`. */
  baseUrl: string;
  modelId: string;
  /** Sent as a bearer token to this base URL only; null or blank = none. */
  apiKey: string | null;
  /** Longest wait for the next byte of an answer; default 120 000. */
  timeoutMs?: number;
  /** Longest wait for a connection; default 10 000. */
  connectTimeoutMs?: number;
}

/** One question on its way: what was read of the answer, and the failure that ended it, before the SDK wrapped it. */
interface Exchange {
  endpoint: ProviderEndpoint;
  options: OpenAiCompatibleOptions;
  dependencies: ModelDependencies;
  /** The caller's signal or `leave`. */
  signal: AbortSignal;
  /** Ends the request when the reader leaves the stream: a pending wait for bytes would keep the connection otherwise. */
  leave: AbortController;
  progress: AnswerProgress;
  failure: ModelError | null;
}

/**
 * Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, LM Studio,
 * vLLM, OpenAI. One request per question, no retry, no redirect, no proxy. Calls
 * come after the whole answer was read, so a broken answer yields none.
 * Faults: `ModelError`; the signal's reason when the caller aborts.
 * Source: architecture.md §3 "Model access", runtime.md §1.4, §11.10, §19.
 */
export function createOpenAiCompatibleClient(
  options: OpenAiCompatibleOptions,
  dependencies: ModelDependencies,
): ModelClient {
  return {
    async *complete(request, signal) {
      signal.throwIfAborted();
      proveTranscript(request.messages);
      const endpoint = readEndpoint(options.baseUrl, options.modelId, options.apiKey);
      const progress = { calls: createCallCollector(dependencies.newId), hasChoice: false, isFinished: false };
      const leave = new AbortController();
      const either = AbortSignal.any([signal, leave.signal]);
      const exchange: Exchange = { endpoint, options, dependencies, signal: either, leave, progress, failure: null };
      try {
        for await (const part of ask(request, exchange)) {
          signal.throwIfAborted();
          yield part;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw exchange.failure ?? fail(exchange, error);
      }
    },
  };
}

async function* ask(request: ModelRequest, exchange: Exchange): AsyncGenerator<ModelPart> {
  const { endpoint, signal, progress } = exchange;
  const provider = createOpenAICompatible({
    name: 'countersign',
    baseURL: endpoint.chatUrl.origin,
    includeUsage: true,
    // Neither the key nor the address with its query is given to the SDK: its errors repeat both.
    fetch: (_url, init) => fetchAnswer(init?.body as string, request.runId, exchange),
    transformRequestBody: fillEmptyContent,
  });
  const { stream } = await provider.chatModel(endpoint.modelId).doStream({
    prompt: toPrompt(request.messages),
    tools: toTools(request.tools),
    temperature: request.temperature,
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: signal,
  });
  let finish: ModelPart | null = null;
  for await (const part of readParts(stream, exchange.leave)) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') yield { type: 'text', text: part.delta };
    if (part.type === 'reasoning-delta') yield { type: 'thinking', text: part.delta };
    if (part.type === 'finish') finish = toFinish(part);
  }
  for (const call of progress.calls.finish()) yield { type: 'call', call };
  if (finish) yield finish;
}

async function* readParts(stream: ReadableStream<LanguageModelV4StreamPart>, leave: AbortController) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    leave.abort();
  }
}

/** Tokens are read from the provider's own numbers: the SDK turns a missing count into 0. Cost is never said in this protocol. */
function toFinish(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): ModelPart {
  const raw = part.usage.raw;
  const count = (name: string): number | null => (typeof raw?.[name] === 'number' ? raw[name] : null);
  return {
    type: 'finish',
    reason: part.finishReason.raw ?? part.finishReason.unified,
    inputTokens: count('prompt_tokens'),
    outputTokens: count('completion_tokens'),
    costMicros: null,
  };
}

/** Sends the body the SDK made and hands it the cleaned answer. */
async function fetchAnswer(body: string, runId: string, exchange: Exchange): Promise<Response> {
  const { endpoint, options, dependencies, signal } = exchange;
  const { startTimer } = dependencies;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const connectTimeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  const headers = requestHeaders(endpoint, runId);
  try {
    const incoming = await sendChatRequest(
      { url: endpoint.chatUrl, headers, body, connectTimeoutMs, timeoutMs, signal },
      startTimer,
    );
    const bytes = readBody(incoming, timeoutMs, startTimer);
    const status = incoming.statusCode ?? 0;
    if (status < 200 || status > 299) {
      throw statusFailure(endpoint, status, incoming.headers, await readErrorBody(bytes, signal), dependencies.nowMs());
    }
    return new Response(toStream(answerBytes(bytes, exchange)));
  } catch (error) {
    throw fail(exchange, error);
  }
}

async function* answerBytes(bytes: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for await (const text of cleanAnswer(bytes, exchange.progress, exchange.endpoint)) yield encoder.encode(text);
  } catch (error) {
    // The model had said that it was finished: a server that then breaks the connection, or forgets to end it, took nothing away.
    const isComplete = exchange.progress.isFinished && !(error instanceof ModelError) && !exchange.signal.aborted;
    if (!isComplete) throw fail(exchange, error);
  }
}

/** Reads only as far as somebody asks; giving up closes the connection. */
function toStream(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await bytes.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await bytes.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function requestHeaders(endpoint: ProviderEndpoint, runId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    // A compressed answer would arrive late and in lumps.
    'accept-encoding': 'identity',
    'user-agent': 'countersign',
    // The run's id is the correlation id of all its calls; an empty one must not become a shared bucket.
    ...(/^[\x21-\x7e]+$/.test(runId) && { 'x-client-request-id': runId }),
    ...(endpoint.apiKey !== null && { authorization: `Bearer ${endpoint.apiKey}` }),
  };
}

/** What the server says about a refusal. The status alone decides the class, so an explanation that breaks off changes nothing. */
async function readErrorBody(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk);
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_ERROR_BODY_BYTES) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return JSON.stringify({ message: `(explanation lost: ${error instanceof Error ? error.message : 'unknown'})` });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The exchange's failure: the first one counts, what the SDK makes of it later does not. */
function fail(exchange: Exchange, error: unknown): ModelError {
  exchange.failure ??= error instanceof ModelError ? error : toFailure(exchange, error);
  return exchange.failure;
}

function toFailure({ endpoint }: Exchange, error: unknown): ModelError {
  // The SDK's own errors quote the request and the answer: only their kind is kept.
  if (error instanceof Error && error.name.startsWith('AI_')) {
    return modelFailure(endpoint, 'unknown', 'the answer could not be understood. Check the server.', error.name);
  }
  return networkFailure(endpoint, error);
}

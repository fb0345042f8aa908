import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelClient, ModelPart, ModelRequest, RequestedCall } from '../../../src-main/domain/model-client.ts';
import type { ModelDependencies } from '../../../src-main/models/model-dependencies.ts';

/** A request the provider received, with its parsed body. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** Plays the provider's side of one request. */
export type Play = (response: ServerResponse, request: ReceivedRequest) => void;

/** A real HTTP server on 127.0.0.1 that plays one answer and remembers what it was asked. */
export class FakeProvider {
  readonly requests: ReceivedRequest[] = [];
  /** Resolves when the first connection is gone. */
  readonly firstClosed: Promise<void>;
  readonly #server: Server;

  constructor(answer: Play) {
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const request: ReceivedRequest = {
          method: incoming.method ?? '',
          url: incoming.url ?? '',
          headers: incoming.headers,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
        };
        this.requests.push(request);
        answer(response, request);
      });
    });
    this.firstClosed = new Promise((resolve) => {
      this.#server.once('connection', (socket) => socket.once('close', () => resolve()));
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `http://${this.host}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Real timers, a fixed clock and counted ids. */
export function testDependencies(nowMs = Date.UTC(2026, 0, 1)): ModelDependencies {
  let ids = 0;
  return {
    newId: () => `new-${(ids += 1)}`,
    nowMs: () => nowMs,
    startTimer: (delayMs, onElapsed) => {
      const timer = setTimeout(onElapsed, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

export const textRequest: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [], runId: 'run-1' };

export function sse(...events: (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}

export function delta(fields: object, finishReason: string | null = null): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
  };
}

export const stop = delta({}, 'stop');

export function sendStream(response: ServerResponse, ...pieces: (string | Buffer)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** All parts of an answer, with the texts joined. */
export interface WholeAnswer {
  text: string;
  thinking: string;
  calls: RequestedCall[];
  finish: Extract<ModelPart, { type: 'finish' }>[];
  parts: ModelPart[];
}

export async function readAnswer(
  client: ModelClient,
  request: ModelRequest = textRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<WholeAnswer> {
  const parts: ModelPart[] = [];
  for await (const part of client.complete(request, signal)) parts.push(part);
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thinking: parts.map((part) => (part.type === 'thinking' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
    finish: parts.flatMap((part) => (part.type === 'finish' ? [part] : [])),
    parts,
  };
}

/** Every text an error carries: message, cause chain, own fields and stack. */
export function allTextOf(error: unknown): string {
  const texts: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    texts.push(current.message, current.stack ?? '', JSON.stringify(Object.entries(current)));
  }
  return texts.join('\n');
}

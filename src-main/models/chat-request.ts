import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ModelDependencies } from './model-dependencies.ts';

/** Which wait ended without a byte: for the connection, for the first byte of the answer, or for the next one. */
export type WaitPhase = 'connect' | 'answer' | 'stall';

/** A deadline of ours passed. `waitedMs` is how long. */
export class WaitedTooLong extends Error {
  readonly phase: WaitPhase;
  readonly waitedMs: number;
  constructor(phase: WaitPhase, waitedMs: number) {
    super(`no byte within ${waitedMs} ms (${phase})`);
    this.name = 'WaitedTooLong';
    this.phase = phase;
    this.waitedMs = waitedMs;
  }
}

export interface ChatRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  connectTimeoutMs: number;
  /** Longest wait for the next byte. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Posts one request and resolves with the answer's head; the body is still to be
 * read. Node's own client instead of `fetch`, because it tells a connection that
 * does not come about from an answer that does not come, has no hidden limits of
 * 300 s, follows no redirect and asks no proxy. A connection serves one request:
 * a kept one that the server closes meanwhile looks like a failed request.
 * Faults: `WaitedTooLong`, or the socket's error.
 */
export function sendChatRequest(
  chat: ChatRequest,
  startTimer: ModelDependencies['startTimer'],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = chat.url.protocol === 'https:';
    const open = isSecure ? httpsRequest : httpRequest;
    const headers = { ...chat.headers, 'content-length': String(Buffer.byteLength(chat.body)) };
    const outgoing = open(chat.url, { method: 'POST', headers, agent: false, signal: chat.signal });
    const deadline = (phase: WaitPhase, waitMs: number): (() => void) =>
      startTimer(waitMs, () => outgoing.destroy(new WaitedTooLong(phase, waitMs)));
    let stopTimer = deadline('connect', chat.connectTimeoutMs);
    outgoing.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        stopTimer();
        stopTimer = deadline('answer', chat.timeoutMs);
      });
    });
    outgoing.once('response', (incoming) => {
      stopTimer();
      resolve(incoming);
    });
    // Stays attached: a socket may report more than one error, the first one counts.
    outgoing.on('error', (error) => {
      stopTimer();
      reject(error);
    });
    outgoing.end(chat.body);
  });
}

/**
 * The bytes of an answer. Only the wait for the next byte is limited, so a slow
 * reader or a long answer is not an error. Leaving the loop closes the connection.
 * Faults: `WaitedTooLong`, or the socket's error.
 */
export async function* readBody(
  incoming: IncomingMessage,
  timeoutMs: number,
  startTimer: ModelDependencies['startTimer'],
): AsyncGenerator<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const stopTimer = startTimer(timeoutMs, () => incoming.destroy(new WaitedTooLong('stall', timeoutMs)));
      const next = await chunks.next().finally(stopTimer);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    incoming.destroy();
  }
}

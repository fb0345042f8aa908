import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Check } from 'typebox/value';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { TOPICS_REFUSED, TopicsHello, type TopicsMessage } from '../../src-shared/ipc/http-wire.ts';
import type { Clock } from '../domain/clock.ts';
import type { HttpSessions } from './http-session.ts';
import type { Service } from './service.ts';

export interface HttpTopicsOptions {
  service: Service;
  sessions: HttpSessions;
  clock: Clock;
}

/** Windows that have said hello. */
const MAX_SOCKETS = 128;
/** Those that have not yet. A window says it at once, so the oldest of too many is none of ours. */
const MAX_STRANGERS = 32;
const HELLO_MS = 5_000;
/** A hello is a token in a few words. */
const MAX_MESSAGE_BYTES = 1_024;
const PING_MS = 15_000;
/** A window that reads slower than this much is dropped; it comes back and looks at everything again. */
const MAX_UNREAD_BYTES = 1_048_576;
const UNEXPECTED_MESSAGE = 1008;

/**
 * One WebSocket per window, on which the host only ever says "look again". The first
 * message must be the token; nothing is told before, and nothing is listened to
 * after. Lost messages are harmless, so a slow, silent or unknown peer is dropped.
 */
export class HttpTopics {
  readonly #options: HttpTopicsOptions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  readonly #stopping = new AbortController();
  /** The token of each window that has said hello. */
  readonly #tokens = new Map<WebSocket, string>();
  /** Sockets that were heard of since the last ping. */
  readonly #answering = new WeakSet<WebSocket>();
  readonly #stopListening: () => void;
  readonly #pinging: Promise<void>;

  constructor(options: HttpTopicsOptions) {
    this.#options = options;
    this.#stopListening = options.service.onTopic((topic, payload) => {
      for (const socket of this.#tokens.keys()) send(socket, { topic, payload });
    });
    options.sessions.onEnded((ended) => {
      for (const [socket, token] of this.#tokens) if (token === ended) socket.close(TOPICS_REFUSED);
    });
    this.#pinging = this.#pingForever();
  }

  /** Takes over a connection whose Host and Origin were checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const strangers = [...this.#server.clients].filter((known) => !this.#tokens.has(known));
    if (strangers.length >= MAX_STRANGERS) strangers[0]?.terminate();
    if (this.#tokens.size < MAX_SOCKETS) {
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    } else socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#stopping.abort();
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
    await this.#pinging;
  }

  #welcome(socket: WebSocket): void {
    const gone = new AbortController();
    this.#answering.add(socket);
    socket.on('message', (data, isBinary) => this.#hear(socket, data, isBinary));
    socket.on('pong', () => this.#answering.add(socket));
    // A broken frame is the peer's fault; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#tokens.delete(socket);
      gone.abort();
    });
    void waited(this.#options.clock, HELLO_MS, gone.signal).then((isOver) => {
      if (isOver && !this.#tokens.has(socket)) socket.terminate();
    });
  }

  #hear(socket: WebSocket, data: RawData, isBinary: boolean): void {
    if (this.#tokens.has(socket)) return socket.close(UNEXPECTED_MESSAGE);
    const token = isBinary ? null : tokenIn(data);
    if (token === null || !this.#options.sessions.isKnown(token)) return socket.close(TOPICS_REFUSED);
    this.#tokens.set(socket, token);
    send(socket, { ready: true });
  }

  async #pingForever(): Promise<void> {
    while (await waited(this.#options.clock, PING_MS, this.#stopping.signal)) {
      for (const socket of this.#server.clients) {
        // Nothing came back since the last time: the other end is gone without a word.
        if (this.#answering.delete(socket)) socket.ping();
        else socket.terminate();
      }
    }
  }
}

function send(socket: WebSocket, message: TopicsMessage): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  else socket.send(JSON.stringify(message));
}

/** The token of a hello; null for anything else. */
function tokenIn(data: RawData): string | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '');
    return Check(TopicsHello, parsed) ? parsed.token : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** True when the time is over, false when the signal came first. */
async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.pause(ms, signal);
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}

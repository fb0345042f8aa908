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

export interface HttpTopics {
  /** Takes over a connection whose Host and Origin were checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** Windows, and those that have not said hello yet. */
const MAX_SOCKETS = 128;
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
export function createHttpTopics({ service, sessions, clock }: HttpTopicsOptions): HttpTopics {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const stopping = new AbortController();
  /** The token of each window that has said hello. */
  const tokens = new Map<WebSocket, string>();
  const answering = new WeakSet<WebSocket>();

  const send = (socket: WebSocket, message: TopicsMessage): void => {
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) return socket.terminate();
    socket.send(JSON.stringify(message));
  };

  const stopListening = service.onTopic((topic, payload) => {
    for (const socket of tokens.keys()) send(socket, { topic, payload });
  });
  sessions.onEnded((ended) => {
    for (const [socket, token] of tokens) if (token === ended) socket.close(TOPICS_REFUSED);
  });

  const hear = (socket: WebSocket, data: RawData, isBinary: boolean): void => {
    if (tokens.has(socket)) return socket.close(UNEXPECTED_MESSAGE);
    const token = isBinary ? null : tokenIn(data);
    if (token === null || !sessions.isKnown(token)) return socket.close(TOPICS_REFUSED);
    tokens.set(socket, token);
    send(socket, { ready: true });
  };

  const welcome = (socket: WebSocket): void => {
    const gone = new AbortController();
    answering.add(socket);
    socket.on('message', (data, isBinary) => hear(socket, data, isBinary));
    socket.on('pong', () => answering.add(socket));
    // A broken frame is the peer's fault; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      tokens.delete(socket);
      gone.abort();
    });
    void waited(clock, HELLO_MS, gone.signal).then((isOver) => {
      if (isOver && !tokens.has(socket)) socket.terminate();
    });
  };

  const pingForever = async (): Promise<void> => {
    while (await waited(clock, PING_MS, stopping.signal)) {
      for (const socket of server.clients) {
        // Nothing came back since the last time: the other end is gone without a word.
        if (!answering.delete(socket)) socket.terminate();
        else socket.ping();
      }
    }
  };
  const pinging = pingForever();

  return {
    accept(request, socket, head) {
      if (server.clients.size >= MAX_SOCKETS) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      server.handleUpgrade(request, socket, head, welcome);
    },
    async close() {
      stopListening();
      stopping.abort();
      for (const socket of server.clients) socket.terminate();
      server.close();
      await pinging;
    },
  };
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

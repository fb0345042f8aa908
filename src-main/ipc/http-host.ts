import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../domain/clock.ts';
import type { Report } from '../system/log.ts';
import { createHttpAnswers, pathOf } from './http-answers.ts';
import { sendStatus } from './http-body.ts';
import { createHttpSessions } from './http-session.ts';
import { HttpTopics } from './http-topics.ts';
import type { PageFile } from './page-files.ts';
import type { Service } from './service.ts';

export interface HttpHostOptions {
  /** 0 = any free port. */
  port: number;
  page: (path: string) => PageFile | null;
  service: Service;
  clock: Clock;
  report: Report;
  /** Unguessable text of 256 bits, for codes and tokens. */
  newSecret(): string;
}

export interface HttpHost {
  /** The address with its one-time code in the fragment, which no server and no log ever sees. */
  address: string;
  /** Another such address. `lifeMs` null = good until it is used. */
  newAddress(lifeMs?: number | null): string;
  close(): Promise<void>;
}

/** Enough for every window and many requests at once; far below what would exhaust the process. */
const MAX_CONNECTIONS = 2_048;
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** Nothing was sent or taken for this long; longer than the slowest call, a model test. */
const IDLE_MS = 60_000;

/**
 * The host on loopback for workstations without a display. A one-time code in the
 * printed address is exchanged by POST for a token that the page keeps in memory: no
 * cookie (cookies are shared across ports), no token in a URL. Host name and Origin
 * are checked, so that neither another site nor a rebound name can use the browser
 * as a way in.
 * Source: architecture.md §2 "Headless host".
 */
export async function startHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const { service, clock, newSecret } = options;
  const sessions = createHttpSessions({ newSecret, monotonicMs: clock.monotonicMs });
  const topics = new HttpTopics({ service, sessions, clock });
  const server = createServer({ ...LIMITS, maxHeaderSize: 16_384 });
  const port = await listen(server, options.port);
  const origin = `http://127.0.0.1:${port}`;
  // One Host, ours, and a target that names no other: two of them are read differently by different readers.
  const isOurs = ({ headersDistinct: { host }, url }: IncomingMessage): boolean =>
    host?.length === 1 && host[0] === `127.0.0.1:${port}` && url?.startsWith('/') === true;

  const answer = createHttpAnswers({ page: options.page, service, sessions });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answered = isOurs(request) ? answer(request, response, origin) : Promise.resolve(sendStatus(response, 421));
    answered.catch((error: unknown) => {
      // Who left in the middle of a request has no answer to get and is nobody's fault.
      if (request.destroyed && !request.complete) return response.destroy();
      options.report(error, 'http host');
      if (response.headersSent) response.destroy();
      else sendStatus(response, 500);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const isAllowed = isOurs(request) && request.headers.origin === origin && pathOf(request, origin) === '/topics';
    if (isAllowed) topics.accept(request, socket, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });

  const newAddress = (lifeMs: number | null = null): string => `${origin}/#code=${sessions.newCode(lifeMs)}`;
  return {
    address: newAddress(),
    newAddress,
    async close() {
      await topics.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Listens on loopback only, and returns the port. Faults: EADDRINUSE. */
async function listen(server: Server, port: number): Promise<number> {
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', 1_024, resolve);
  });
  return (server.address() as AddressInfo).port;
}

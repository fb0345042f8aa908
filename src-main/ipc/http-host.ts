import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Check } from 'typebox/value';
import { SessionRequest } from '../../src-shared/ipc/http-wire.ts';
import type { Clock } from '../domain/clock.ts';
import type { Report } from '../system/log.ts';
import { readJson, sendJson, sendStatus } from './http-body.ts';
import { createHttpSessions } from './http-session.ts';
import { createHttpTopics } from './http-topics.ts';
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

/** The longest prompt is a million UTF-16 units, at most three bytes each, beside the rest of the request. */
const MAX_CALL_BYTES = 4_194_304;
const MAX_SESSION_BYTES = 4_096;

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
  const topics = createHttpTopics({ service, sessions, clock });
  const server = createServer({ ...LIMITS, maxHeaderSize: 16_384 });
  const port = await listen(server, options.port);
  const origin = `http://127.0.0.1:${port}`;
  const isOurs = ({ headers }: IncomingMessage): boolean => headers.host === `127.0.0.1:${port}`;

  const isKnown = (header: string | undefined): boolean =>
    header?.startsWith('Bearer ') === true && sessions.isKnown(header.slice('Bearer '.length));

  const openSession = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request, MAX_SESSION_BYTES);
    if ('problem' in body) return sendStatus(response, body.problem);
    const session = Check(SessionRequest, body.value) ? sessions.open(body.value.code) : null;
    return session ? sendJson(response, session) : sendStatus(response, 401);
  };

  const call = async (name: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isKnown(request.headers.authorization)) return sendStatus(response, 401);
    const body = await readJson(request, MAX_CALL_BYTES);
    if ('problem' in body) return sendStatus(response, body.problem);
    sendJson(response, await service.call(name, body.value));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurs(request)) return sendStatus(response, 421);
    const pathname = pathOf(request, origin);
    if (pathname === null) return sendStatus(response, 400);
    if (request.method === 'GET') return sendPage(response, options.page(pathname));
    if (request.method !== 'POST') return sendStatus(response, 405);
    if (request.headers.origin !== origin) return sendStatus(response, 403);
    if (pathname === '/session') return openSession(request, response);
    if (pathname.startsWith('/call/')) return call(pathname.slice('/call/'.length), request, response);
    return sendStatus(response, 404);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
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

function pathOf({ url }: IncomingMessage, origin: string): string | null {
  const target = url ?? '/';
  return URL.canParse(target, origin) ? new URL(target, origin).pathname : null;
}

function sendPage(response: ServerResponse, file: PageFile | null): void {
  if (!file) return sendStatus(response, 404);
  response.writeHead(200, file.headers).end(file.body);
}

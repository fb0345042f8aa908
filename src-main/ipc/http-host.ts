import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sameDigest } from '../domain/digest.ts';
import type { Report } from '../system/log.ts';
import type { PageFile } from './page-files.ts';
import type { Queries } from './queries.ts';

export interface HttpHostOptions {
  /** 0 = any free port. */
  port: number;
  page: (path: string) => PageFile | null;
  queries: Queries;
  report: Report;
  /** Unguessable text of 256 bits, for the code and the tokens. */
  newSecret(): string;
}

export interface HttpHost {
  /** The address with its one-time code in the fragment, which no server and no log ever sees. */
  address: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 65_536;

/**
 * The host on loopback for workstations without a display. A one-time code in the
 * printed address is exchanged by POST for a token that the page keeps in memory: no
 * cookie (cookies are shared across ports), no token in a URL. Host name and Origin
 * are checked, so that neither another site nor a rebound name can use the browser
 * as a way in.
 * Source: architecture.md §2 "Headless host".
 */
export async function startHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const session = { code: options.newSecret() as string | null, tokens: new Set<string>() };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.report(error, 'http host');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.host !== `127.0.0.1:${port}`) return end(response, 421);
    const target = request.url ?? '/';
    if (!URL.canParse(target, origin)) return end(response, 400);
    const { pathname } = new URL(target, origin);
    if (request.method === 'GET') return sendPage(response, options.page(pathname));
    if (request.method !== 'POST') return end(response, 405);
    if (request.headers.origin !== origin) return end(response, 403);
    const body = await readBody(request);
    if (body === null) return end(response, 413);
    if (pathname === '/session') return openSession(response, body);
    if (!isKnownToken(request.headers.authorization)) return end(response, 401);
    const query = pathname.startsWith('/query/') ? pathname.slice('/query/'.length) : '';
    if (!Object.hasOwn(options.queries, query)) return end(response, 404);
    sendJson(response, await options.queries[query]?.());
  }

  function openSession(response: ServerResponse, body: string): void {
    if (!sameDigest(session.code, codeIn(body))) return end(response, 401);
    // Used once: whoever reads the address later, in a history or over a shoulder, gets nothing with it.
    session.code = null;
    const token = options.newSecret();
    session.tokens.add(token);
    sendJson(response, { token });
  }

  const isKnownToken = (header: string | undefined): boolean =>
    [...session.tokens].some((token) => sameDigest(`Bearer ${token}`, header));

  return {
    address: `${origin}/#code=${session.code}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function codeIn(body: string): string | null {
  try {
    const parsed = JSON.parse(body) as { code?: unknown } | null;
    return typeof parsed?.code === 'string' ? parsed.code : null;
  } catch {
    // Not JSON is not a code; the answer is the same 401 as for a wrong one.
    return null;
  }
}

/** The body as text; null when it is larger than any request of ours. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, connection: status === 413 ? 'close' : 'keep-alive' }).end();
}

function sendPage(response: ServerResponse, file: PageFile | null): void {
  if (!file) return end(response, 404);
  response.writeHead(200, file.headers).end(file.body);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(JSON.stringify(value ?? null));
}

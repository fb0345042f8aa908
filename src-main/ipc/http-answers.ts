import type { IncomingMessage, ServerResponse } from 'node:http';
import { Check } from 'typebox/value';
import { SessionRequest } from '../../src-shared/ipc/http-wire.ts';
import { readJson, sendJson, sendStatus } from './http-body.ts';
import type { HttpSessions } from './http-session.ts';
import type { PageFile } from './page-files.ts';
import type { Service } from './service.ts';

/** The longest prompt is a million UTF-16 units, at most three bytes each, beside the rest of the request. */
const MAX_CALL_BYTES = 4_194_304;
const MAX_SESSION_BYTES = 4_096;

export interface HttpAnswersOptions {
  page: (path: string) => PageFile | null;
  service: Service;
  sessions: HttpSessions;
}

/** Answers one request whose Host was checked; `origin` is the only one that may post. */
type HttpAnswer = (request: IncomingMessage, response: ServerResponse, origin: string) => Promise<void>;

/**
 * What is answered at which path: page files to anybody who got here, a session for a
 * code, calls for a token. The token is asked for before the body is read, so a
 * stranger cannot make the host hold megabytes.
 */
export function createHttpAnswers({ page, service, sessions }: HttpAnswersOptions): HttpAnswer {
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

  return async (request, response, origin) => {
    const pathname = pathOf(request, origin);
    if (pathname === null) return sendStatus(response, 400);
    if (request.method === 'GET') return sendPage(response, page(pathname));
    if (request.method !== 'POST') return sendStatus(response, 405);
    if (request.headers.origin !== origin) return sendStatus(response, 403);
    if (pathname === '/session') return openSession(request, response);
    if (pathname.startsWith('/call/')) return call(pathname.slice('/call/'.length), request, response);
    return sendStatus(response, 404);
  };
}

/** The path a request names; null when it names none. */
export function pathOf({ url }: IncomingMessage, origin: string): string | null {
  const target = url ?? '/';
  return URL.canParse(target, origin) ? new URL(target, origin).pathname : null;
}

function sendPage(response: ServerResponse, file: PageFile | null): void {
  if (!file) return sendStatus(response, 404);
  response.writeHead(200, file.headers).end(file.body);
}

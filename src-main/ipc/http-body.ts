import type { IncomingMessage, ServerResponse } from 'node:http';

/** What was wrong with a request's body, as the status to answer with. */
export type BodyProblem = 400 | 413 | 415;

/**
 * A request's JSON body. It must say that it is JSON: a form of another site can only
 * send other types without asking first.
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ value: unknown } | { problem: BodyProblem }> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return { problem: 415 };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { problem: 413 };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return { problem: 413 };
    chunks.push(chunk);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 400 };
    throw error;
  }
}

/** Ends a request with a status alone. What is left of a body nobody wants is not read. */
export function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, connection: status < 400 ? 'keep-alive' : 'close' }).end();
}

export function sendJson(response: ServerResponse, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(body);
}

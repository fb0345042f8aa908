import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpHost, type HttpHost } from '../../src-main/ipc/http-host.ts';

/** The loopback host lets nobody in who does not hold the printed address, however they reach the port. */
describe('the host on loopback', () => {
  let host: HttpHost;
  let origin: string;
  let code: string;
  const reports: unknown[] = [];

  beforeEach(async () => {
    reports.length = 0;
    host = await startHttpHost({
      port: 0,
      page: (path) =>
        path === '/' ? { body: Buffer.from('<p>page</p>'), headers: { 'content-type': 'text/html' } } : null,
      queries: {
        'inbox.waiting': () => Promise.resolve([{ runId: 'r' }]),
        'inbox.broken': () => Promise.reject(new Error('secret detail')),
      },
      report: (error) => reports.push(error),
      newSecret: () => randomBytes(32).toString('hex'),
    });
    const address = new URL(host.address);
    origin = address.origin;
    code = new URLSearchParams(address.hash.slice(1)).get('code') ?? '';
  });
  afterEach(() => host.close());

  /** A request with exactly these headers; `fetch` would not let a test lie about Host. */
  function ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const sent = httpRequest({ hostname, port, method, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const open = (withCode: string) => ask('POST', '/session', { origin }, JSON.stringify({ code: withCode }));
  const token = async (): Promise<string> => (JSON.parse((await open(code)).text) as { token: string }).token;

  it('gives a token for the code of its address, once', async () => {
    const first = await open(code);
    expect(first.status).toBe(200);
    expect((JSON.parse(first.text) as { token: string }).token).toMatch(/^[0-9a-f]{64}$/);
    expect((await open(code)).status).toBe(401);
  });

  it('answers queries for its token and nobody else', async () => {
    const bearer = { origin, authorization: `Bearer ${await token()}` };
    const answer = await ask('POST', '/query/inbox.waiting', bearer);
    expect(answer).toMatchObject({ status: 200, text: '[{"runId":"r"}]' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await ask('POST', '/query/inbox.waiting', { origin })).status).toBe(401);
    expect(
      (await ask('POST', '/query/inbox.waiting', { ...bearer, authorization: `Bearer ${'0'.repeat(64)}` })).status,
    ).toBe(401);
    expect((await ask('POST', '/query/constructor', bearer)).status).toBe(404);
    expect((await ask('GET', '/query/inbox.waiting', bearer)).status).toBe(404);
    expect((await ask('DELETE', '/query/inbox.waiting', bearer)).status).toBe(405);
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }, 403],
    ['no origin', {}, 403],
    ['a rebound name', { host: 'evil.example' }, 421],
    ['localhost by name', { host: 'localhost' }, 421],
  ])('refuses %s', async (_who, headers, status) => {
    expect((await ask('POST', '/session', headers, JSON.stringify({ code }))).status).toBe(status);
    // The code was not used up by the attempt.
    expect((await open(code)).status).toBe(200);
  });

  it.each(['', 'not json', '{}', '{"code":1}', 'null', `{"code":"${'é'.repeat(64)}"}`, '{"code":""}'])(
    'refuses the body %j and keeps its code',
    async (body) => {
      expect((await ask('POST', '/session', { origin }, body)).status).toBe(401);
      expect((await open(code)).status).toBe(200);
    },
  );

  it('refuses a body larger than any of ours, and tells nothing of its faults', async () => {
    expect((await ask('POST', '/session', { origin }, 'x'.repeat(100_000))).status).toBe(413);
    const broken = await ask('POST', '/query/inbox.broken', { origin, authorization: `Bearer ${await token()}` });
    expect(broken).toMatchObject({ status: 500, text: '' });
    expect(reports).toHaveLength(1);
  });

  it('serves the page and nothing beside it', async () => {
    expect((await ask('GET', '/')).text).toBe('<p>page</p>');
    for (const path of ['/../package.json', '/%2e%2e/package.json', '//etc/passwd', '/nothing']) {
      expect((await ask('GET', path)).status).toBe(404);
    }
  });
});

import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpHost, type HttpHost } from '../../src-main/ipc/http-host.ts';
import type { Service } from '../../src-main/ipc/service.ts';
import { systemClock } from '../../src-main/system/clock.ts';

/** The loopback host lets nobody in who does not hold an address of its, however they reach the port. */
describe('the host on loopback', () => {
  let host: HttpHost;
  let origin: string;
  const reports: unknown[] = [];
  const called: { name: string; input: unknown }[] = [];
  const service: Service = {
    call(name, input) {
      called.push({ name, input });
      return Promise.resolve({ ok: true, value: name });
    },
    onTopic: () => () => undefined,
  };

  beforeEach(async () => {
    reports.length = 0;
    called.length = 0;
    host = await startHttpHost({
      port: 0,
      page: (path) =>
        path === '/' ? { body: Buffer.from('<p>page</p>'), headers: { 'content-type': 'text/html' } } : null,
      service,
      clock: systemClock,
      report: (error) => reports.push(error),
      newSecret: () => randomBytes(32).toString('hex'),
    });
    ({ origin } = new URL(host.address));
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

  const codeOf = (address: string): string => new URLSearchParams(new URL(address).hash.slice(1)).get('code') ?? '';
  const json = (more: Record<string, string> = {}) => ({ origin, 'content-type': 'application/json', ...more });
  const open = (code: string) => ask('POST', '/session', json(), JSON.stringify({ code }));
  const session = async (address = host.address): Promise<{ token: string; nextCode: string }> =>
    JSON.parse((await open(codeOf(address))).text) as { token: string; nextCode: string };
  const call = (token: string, name = 'inbox.overview', body = '{}') =>
    ask('POST', `/call/${name}`, json({ authorization: `Bearer ${token}` }), body);

  it('gives a token for the code of its address, once', async () => {
    expect((await session()).token).toMatch(/^[0-9a-f]{64}$/);
    expect((await open(codeOf(host.address))).status).toBe(401);
  });

  it('lets a page come back after a reload, and then only the page that came back', async () => {
    const first = await session();
    const again = JSON.parse((await open(first.nextCode)).text) as typeof first;
    expect((await call(first.token)).status).toBe(401);
    expect((await call(again.token)).status).toBe(200);
    expect((await open(first.nextCode)).status).toBe(401);
    expect((await open(again.nextCode)).status).toBe(200);
  });

  it('lets a page come back once more when the answer to its reload was lost', async () => {
    const first = await session();
    const lost = JSON.parse((await open(first.nextCode)).text) as typeof first;
    const again = JSON.parse((await open(first.nextCode)).text) as typeof first;
    expect((await call(lost.token)).status).toBe(401);
    expect((await call(again.token)).status).toBe(200);
    expect((await open(first.nextCode)).status).toBe(401);
  });

  it('gives further addresses, each for one window beside the others', async () => {
    const first = await session();
    const second = await session(host.newAddress());
    expect((await call(first.token)).status).toBe(200);
    expect((await call(second.token)).status).toBe(200);
  });

  it('lets an invitation run out', async () => {
    expect((await open(codeOf(host.newAddress(-1)))).status).toBe(401);
    expect((await open(codeOf(host.newAddress(60_000)))).status).toBe(200);
  });

  it('keeps a bounded number of windows: of 66 those are out that were not used for longest', async () => {
    const used = await session();
    const first = await session(host.newAddress());
    const tokens: string[] = [];
    for (let index = 0; index < 64; index += 1) {
      tokens.push((await session(host.newAddress())).token);
      expect((await call(used.token)).status).toBe(200);
    }
    expect((await call(tokens[0] ?? '')).status).toBe(401);
    expect((await call(first.token)).status).toBe(401);
    for (const token of [tokens[1], tokens.at(-1)]) expect((await call(token ?? '')).status).toBe(200);
  });

  it('passes calls on for its token and nobody else', async () => {
    const { token } = await session();
    const answer = await call(token, 'host.health', '{"a":1}');
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true,"value":"host.health"}' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(called).toEqual([{ name: 'host.health', input: { a: 1 } }]);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${'0'.repeat(64)}`,
      token,
      `bearer ${token}`,
      `Basic ${token}`,
    ]) {
      expect((await ask('POST', '/call/host.health', json({ authorization }), '{}')).status, authorization).toBe(401);
    }
    expect((await ask('POST', '/call/host.health', json(), '{}')).status).toBe(401);
    expect((await ask('GET', '/call/host.health', json({ authorization: `Bearer ${token}` }))).status).toBe(404);
    expect((await ask('DELETE', '/call/host.health', json({ authorization: `Bearer ${token}` }))).status).toBe(405);
    expect(called).toHaveLength(1);
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }, 403],
    ['another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a page of no origin', { origin: 'null' }, 403],
    ['a rebound name', { host: 'evil.example' }, 421],
    ['localhost by name', { host: 'localhost' }, 421],
  ])('refuses %s, with code and token', async (_who, headers, status) => {
    const { token } = await session();
    const code = codeOf(host.newAddress());
    const lying = { ...json(), ...headers };
    expect((await ask('POST', '/session', lying, JSON.stringify({ code }))).status).toBe(status);
    expect((await ask('POST', '/call/a.b', { ...lying, authorization: `Bearer ${token}` }, '{}')).status).toBe(status);
    expect(called).toEqual([]);
    // The code was not used up by the attempt.
    expect((await open(code)).status).toBe(200);
  });

  it('refuses a request that names no origin', async () => {
    const body = JSON.stringify({ code: codeOf(host.address) });
    expect((await ask('POST', '/session', { 'content-type': 'application/json' }, body)).status).toBe(403);
  });

  it.each([
    '{}',
    '{"code":1}',
    'null',
    '[]',
    `{"code":"${'é'.repeat(64)}"}`,
    '{"code":""}',
    '{"code":"a","code2":"b"}',
  ])('refuses the body %j and keeps its code', async (body) => {
    expect((await ask('POST', '/session', json(), body)).status).toBe(401);
    expect((await open(codeOf(host.address))).status).toBe(200);
  });

  it('takes JSON only, and only what says that it is JSON', async () => {
    const { token } = await session();
    expect((await call(token, 'a.b', 'not json')).status).toBe(400);
    expect((await call(token, 'a.b', '')).status).toBe(400);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const headers = { origin, authorization: `Bearer ${token}`, 'content-type': type };
      expect((await ask('POST', '/call/a.b', headers, '{}')).status, type).toBe(415);
    }
    expect((await call(token, 'a.b', '{}')).status).toBe(200);
    expect(called).toHaveLength(1);
  });

  it('takes the longest prompt and refuses what is larger than any request, announced or not', async () => {
    const { token } = await session();
    expect((await call(token, 'runs.start', JSON.stringify({ prompt: '漢'.repeat(1_000_000) }))).status).toBe(200);
    expect((await call(token, 'runs.start', JSON.stringify('x'.repeat(4_200_000)))).status).toBe(413);
    const chunked = json({ authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' });
    const status = await ask('POST', '/call/runs.start', chunked, 'x'.repeat(4_200_000)).then(
      (answer) => answer.status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The host may hang up before it has taken the rest.
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(status);
    expect(called).toHaveLength(1);
    expect((await ask('POST', '/session', json(), JSON.stringify({ code: 'x'.repeat(5_000) }))).status).toBe(413);
    expect((await ask('GET', `/${'x'.repeat(20_000)}`)).status).toBe(431);
    expect(reports).toEqual([]);
  });

  it('answers a thousand requests at once', async () => {
    const { token } = await session();
    const statuses = await Promise.all(Array.from({ length: 1_000 }, async () => (await call(token)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
  }, 30_000);

  const raw = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const socket = connect(Number(port), hostname, () => resolve(socket));
      socket.on('error', reject);
    });

  it('is not disturbed by those who leave in the middle or never finish', async () => {
    const { token } = await session();
    const half = await raw();
    half.write(
      `POST /call/a.b HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n`,
    );
    const left = await raw();
    left.write(
      `POST /call/a.b HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"`,
    );
    left.destroy();
    const garbage = await raw();
    garbage.on('error', () => undefined);
    garbage.write('\u0000\u0001 nonsense\r\n\r\n');
    expect((await call(token)).status).toBe(200);
    half.destroy();
    garbage.destroy();
    expect(reports).toEqual([]);
    expect(called).toHaveLength(1);
  });

  it('listens on loopback and nowhere else', async () => {
    const { port } = new URL(origin);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address && !address.internal && address.family === 'IPv4');
    const reached = others.map(
      (address) =>
        new Promise<string>((resolve) => {
          const socket = connect({ port: Number(port), host: address?.address, timeout: 2_000 }, () => resolve('open'));
          socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'closed'));
          socket.on('timeout', () => resolve('ETIMEDOUT'));
        }),
    );
    for (const outcome of await Promise.all(reached)) expect(outcome).not.toBe('open');
    expect(new URL(origin).hostname).toBe('127.0.0.1');
    expect((await ask('GET', '/')).status).toBe(200);
  });

  it('serves the page and nothing beside it', async () => {
    expect((await ask('GET', '/')).text).toBe('<p>page</p>');
    for (const path of ['/../package.json', '/%2e%2e/package.json', '//etc/passwd', '/nothing']) {
      expect((await ask('GET', path)).status).toBe(404);
    }
  });

  it('tells nothing of its faults', async () => {
    const broken = await startHttpHost({
      port: 0,
      page: () => {
        throw new Error('secret detail');
      },
      service,
      clock: systemClock,
      report: (error) => reports.push(error),
      newSecret: () => 'x',
    });
    ({ origin } = new URL(broken.address));
    expect(await ask('GET', '/')).toMatchObject({ status: 500, text: '' });
    expect(reports).toHaveLength(1);
    await broken.close();
  });
});

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startHttpHost, type HttpHost } from '../../src-main/ipc/http-host.ts';
import type { TopicListener } from '../../src-main/ipc/service.ts';
import { CONTRACT, isCallName } from '../../src-shared/ipc/contract.ts';
import { createFakeClock, until, type FakeClock } from '../support/fake-clock.ts';
import { eventually } from '../support/world.ts';

/** The socket on which a window hears of changes: for those with a token, and never a burden to anybody else. */
describe('the topics over a WebSocket', () => {
  let host: HttpHost;
  let clock: FakeClock;
  let origin: string;
  let listeners: Set<TopicListener>;
  const sockets: WebSocket[] = [];

  beforeEach(async () => {
    clock = createFakeClock();
    listeners = new Set();
    host = await startHttpHost({
      port: 0,
      page: () => null,
      service: {
        call: (name) => Promise.resolve({ ok: true, value: name }),
        onTopic(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      clock,
      report: () => undefined,
      newSecret: () => randomBytes(32).toString('hex'),
    });
    ({ origin } = new URL(host.address));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await host.close();
    expect(listeners.size).toBe(0);
    await until(() => clock.openPauses() === 0, 'the last pause');
  });

  const publish = (payload: unknown): void => {
    for (const listener of listeners) listener('runs.changed', payload);
  };
  const post = (path: string, body: object, token = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const newSession = async (): Promise<{ token: string; nextCode: string }> => {
    const code = new URL(host.newAddress()).hash.slice('#code='.length);
    return (await (await post('/session', { code })).json()) as { token: string; nextCode: string };
  };

  interface Heard {
    socket: WebSocket;
    messages: unknown[];
    /** Close code, once closed; 0 = an HTTP answer instead of a socket. */
    closed: number | null;
    status: number;
  }
  const listen = (headers: Record<string, string> = {}, path = '/topics'): Heard => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers: { origin, ...headers } });
    sockets.push(socket);
    const heard: Heard = { socket, messages: [], closed: null, status: 0 };
    socket.on('message', (data: Buffer) => heard.messages.push(JSON.parse(data.toString('utf8'))));
    socket.on('close', (code) => (heard.closed ??= code));
    socket.on('unexpected-response', (_request, response) => {
      heard.status = response.statusCode ?? 0;
      heard.closed = 0;
      response.destroy();
    });
    socket.on('error', () => undefined);
    return heard;
  };
  const opened = (heard: Heard) => eventually(() => heard.socket.readyState === WebSocket.OPEN);
  const say = async (heard: Heard, message: string | Buffer): Promise<void> => {
    await opened(heard);
    heard.socket.send(message);
  };
  const ready = async (token: string): Promise<Heard> => {
    const heard = listen();
    await say(heard, JSON.stringify({ token }));
    await eventually(() => heard.messages.length > 0);
    return heard;
  };

  it('tells a window with a token, from its hello on', async () => {
    publish({ runIds: ['before'] });
    const heard = await ready((await newSession()).token);
    publish({ runIds: ['after'] });
    await eventually(() => heard.messages.length > 1);
    expect(heard.messages).toEqual([{ ready: true }, { topic: 'runs.changed', payload: { runIds: ['after'] } }]);
  });

  it.each([
    ['a wrong token', JSON.stringify({ token: '0'.repeat(64) }), 4401],
    ['no token', '{}', 4401],
    ['something beside the token', JSON.stringify({ token: 'x', actor: 1 }), 4401],
    ['garbage', '\u0000{', 4401],
    ['null', 'null', 4401],
    ['bytes', Buffer.from([1, 2, 3]), 4401],
    ['a huge frame', 'x'.repeat(100_000), 1009],
  ])('closes on %s and tells nothing', async (_what, message, code) => {
    const heard = listen();
    await say(heard, message);
    await eventually(() => heard.closed !== null);
    publish({ runIds: [] });
    expect(heard).toMatchObject({ closed: code, messages: [] });
  });

  it('tells nothing without a hello, and closes after five seconds', async () => {
    const heard = listen();
    await opened(heard);
    publish({ runIds: [] });
    await clock.advance(4_999);
    expect(heard.closed).toBeNull();
    await clock.advance(1);
    await eventually(() => heard.closed !== null);
    expect(heard.messages).toEqual([]);
  });

  it('closes on a second message: nothing is asked here', async () => {
    const heard = await ready((await newSession()).token);
    heard.socket.send('{"topic":"runs.changed"}');
    await eventually(() => heard.closed !== null);
    expect(heard.closed).toBe(1008);
  });

  it.each([
    ['a foreign origin', { origin: 'http://evil.example' }, '/topics'],
    ['no origin of ours', { origin: 'null' }, '/topics'],
    ['a foreign host', { host: 'evil.example' }, '/topics'],
    ['another path', {}, '/'],
    ['a path of calls', {}, '/call/runs.approve'],
  ])('opens no socket for %s', async (_what, headers, path) => {
    const heard = listen(headers, path);
    await eventually(() => heard.closed !== null);
    expect(heard.status).toBe(403);
  });

  it('closes the socket of a page that was reloaded', async () => {
    const session = await newSession();
    const heard = await ready(session.token);
    expect((await post('/session', { code: session.nextCode })).status).toBe(200);
    await eventually(() => heard.closed !== null);
    expect(heard.closed).toBe(4401);
  });

  it('drops a window that does not read', async () => {
    const heard = await ready((await newSession()).token);
    heard.socket.pause();
    // 40 MB, far more than the system keeps for a connection.
    for (let round = 0; round < 200; round += 1) {
      publish({ runIds: ['x'.repeat(200_000)] });
      await new Promise((resolve) => setImmediate(resolve));
    }
    heard.socket.resume();
    await eventually(() => heard.closed !== null);
    // Cut off in the middle, not closed in good order behind everything that was waiting.
    expect(heard.closed).toBe(1006);
    expect(heard.messages.length).toBeLessThan(200);
  });

  it('drops a window whose end is gone without a word', async () => {
    const { token } = await newSession();
    const { hostname, port, host: name } = new URL(origin);
    const silent = connect(Number(port), hostname);
    let isEnded = false;
    silent.on('close', () => (isEnded = true));
    let told = '';
    silent.on('data', (chunk: Buffer) => (told += chunk.toString('latin1')));
    silent.write(
      `GET /topics HTTP/1.1\r\nHost: ${name}\r\nOrigin: ${origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    silent.write(maskedText(JSON.stringify({ token })));
    const answering = await ready((await newSession()).token);
    await eventually(() => told.includes('"ready":true'));
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(15_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await eventually(() => isEnded);
    expect(answering.closed).toBeNull();
  });

  it('leaves six windows and every command working beside them', async () => {
    const windows: Heard[] = [];
    const tokens: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const { token } = await newSession();
      tokens.push(token);
      windows.push(await ready(token));
    }
    const names = Object.keys(CONTRACT).filter(isCallName);
    for (const token of tokens) {
      const answers = await Promise.all(names.map(async (name) => (await post(`/call/${name}`, {}, token)).status));
      expect(answers).toEqual(names.map(() => 200));
    }
    publish({ runIds: ['r'] });
    await eventually(() => windows.every(({ messages }) => messages.length === 2));
  });

  it('opens at most 128 windows and serves again when some are gone', async () => {
    const { token } = await newSession();
    const many = await Promise.all(Array.from({ length: 4 }, () => ready(token)));
    while (many.length < 128) many.push(...(await Promise.all(Array.from({ length: 4 }, () => ready(token)))));
    const refused = listen();
    await eventually(() => refused.closed !== null);
    expect(refused.status).toBe(503);
    many[0]?.socket.terminate();
    await eventually(async () => {
      const next = listen();
      await eventually(() => next.closed !== null || next.socket.readyState === WebSocket.OPEN);
      return next.socket.readyState === WebSocket.OPEN;
    });
  });

  it('lets a window in however many strangers stay silent', async () => {
    const strangers: Heard[] = [];
    for (let index = 0; index < 40; index += 1) {
      const stranger = listen();
      strangers.push(stranger);
      await opened(stranger);
    }
    await eventually(() => strangers.slice(0, 8).every((stranger) => stranger.closed !== null));
    expect(strangers.at(-1)?.closed).toBeNull();
    expect((await ready((await newSession()).token)).messages).toEqual([{ ready: true }]);
  });
});

/** One text frame as a client sends it: masked, with a length below 126 bytes. */
function maskedText(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { classifyFailure } from '../../src-main/domain/failure-rules.ts';
import type { FailureClass } from '../../src-shared/vocabulary.ts';
import { clientAt, closeProviders, failureAt, failureOf, play, refuse } from './support/failing-provider.ts';
import {
  FakeProvider,
  allTextOf,
  delta,
  readAnswer,
  sendStream,
  sse,
  stop,
  type Play,
} from './support/fake-provider.ts';

afterEach(closeProviders);

describe('HTTP refusals', () => {
  it.each([
    [401, 'auth', /refused the API key/],
    [403, 'auth', /refused the API key/],
    [404, 'clientError', /model or the path was not found/],
    [400, 'clientError', /did not accept the request/],
    [429, 'rateLimit', /no more requests for now/],
    [500, 'serverError', /server failed \(HTTP 500\)/],
    [503, 'serverError', /server failed \(HTTP 503\)/],
  ] as [number, FailureClass, RegExp][])('R-97 takes %d as %s', async (status, failureClass, sentence) => {
    const failure = await failureOf(refuse(status, {}, '{"error":{"message":"words of the provider"}}'));
    expect(classifyFailure(failure)).toBe(failureClass);
    expect(failure.message).toMatch(sentence);
    expect(failure.message).not.toContain('words of the provider');
  });

  it('asks for a key when none was sent', async () => {
    expect((await failureOf(refuse(401), null)).message).toMatch(/asks for an API key/);
  });

  it('keeps the provider’s own sentence for the log', async () => {
    const failure = await failureOf(refuse(400, {}, '{"error":{"message":"context length exceeded","code":null}}'));
    expect((failure.cause as Error).message).toBe('HTTP 400 context length exceeded');
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['Thu, 01 Jan 2026 12:00:31 GMT', 31],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-3', null],
    [null, null],
  ])('reads Retry-After %j as %j seconds', async (header, expected) => {
    const failure = await failureOf(refuse(429, header === null ? {} : { 'retry-after': header }));
    expect(failure.failureClass).toBe('rateLimit');
    expect(failure.retryAfterSeconds).toBe(expected);
  });

  it('decides by the status when the explanation breaks off', async () => {
    const failure = await failureOf((response) => {
      response.writeHead(500, { 'content-length': '100' });
      response.write('{"err', () => response.destroy());
    });
    expect(failure.failureClass).toBe('serverError');
  });
});

describe('connections', () => {
  it('takes a refused connection as connection', async () => {
    const provider = await new FakeProvider(() => {}).listen();
    const { baseUrl, host } = provider;
    await provider.close();
    const failure = await failureAt(baseUrl);
    expect(failure.failureClass).toBe('connection');
    expect(failure.message).toBe(
      `Model tiny at ${host}: nothing answers at that address. Start the model server there, or correct the base URL.`,
    );
  });

  it('takes a name that cannot be looked up as connection', async () => {
    expect((await failureAt('http://no-such-host.invalid/v1')).failureClass).toBe('connection');
  });

  it('gives up on a server that accepts and never answers', async () => {
    const failure = await failureOf(() => {});
    expect(failure.failureClass).toBe('connection');
    expect(failure.message).toMatch(/no answer began within 0.15 s/);
  });

  it('gives up on an answer that stalls, but not on one that is only slow', async () => {
    const stalled = await failureOf((response) => response.writeHead(200).write(sse(delta({ content: 'a' }))));
    expect(stalled).toMatchObject({ failureClass: 'connection' });
    expect(stalled.message).toMatch(/stopped in the middle/);

    const slow = await play((response) => {
      let beats = 0;
      response.writeHead(200);
      const timer = setInterval(() => {
        response.write(': still thinking\n\n');
        if ((beats += 1) < 4) return;
        clearInterval(timer);
        response.end(sse(stop, '[DONE]'));
      }, 60);
    });
    expect((await readAnswer(clientAt(slow.baseUrl))).finish).toHaveLength(1);
  });

  it('gives up on a TLS handshake that never comes', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const accepted = new Promise<void>((resolve) => {
      silent.once('connection', (socket) => socket.once('close', () => resolve()).resume());
    });
    const failure = await failureAt(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`);
    expect(failure.failureClass).toBe('connection');
    expect(failure.message).toMatch(/no connection came about within 0.15 s/);
    await accepted;
    await new Promise((resolve) => silent.close(resolve));
  });

  it('says that https at an http port is a matter of configuration', async () => {
    const provider = await play(() => {});
    const failure = await failureAt(`https://${provider.host}/v1`);
    expect(failure.failureClass).toBe('configuration');
    expect(failure.message).toMatch(/whether it is http or https/);
  });

  it.each([
    ['before the answer', (response: Parameters<Play>[0]) => response.destroy()],
    [
      'in the middle of it',
      (response: Parameters<Play>[0]) =>
        response.writeHead(200).write(sse(delta({ content: 'a' })), () => response.destroy()),
    ],
  ])('takes a connection reset %s as connection', async (_when, answer) => {
    const failure = await failureOf(answer);
    expect(failure.failureClass).toBe('connection');
    expect(failure.message).toMatch(/broke before the answer was complete/);
  });
});

describe('answers that are none', () => {
  const call = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 't', arguments: '{}' } }] });

  it('takes a stream that ends too early as connection and hands out no call of it', async () => {
    const provider = await play((response) => sendStream(response, sse(delta({ content: 'a' }), call)));
    const parts: unknown[] = [];
    const reading = (async () => {
      for await (const part of clientAt(provider.baseUrl).complete(
        { messages: [{ role: 'user', content: 'x' }], tools: [], runId: '' },
        new AbortController().signal,
      )) {
        parts.push(part);
      }
    })();
    await expect(reading).rejects.toMatchObject({ failureClass: 'connection' });
    expect(parts).toEqual([{ type: 'text', text: 'a' }]);
  });

  it.each([
    ['malformed JSON in the stream', 'unknown', sse(delta({ content: 'a' }), '{"choices": [', stop)],
    ['a stream of something that is no object', 'unknown', sse('[1]')],
    ['a malformed JSON body', 'unknown', '{"choices": [}'],
    ['a web page', 'configuration', '\n<!doctype html><html><body>Sign in</body></html>'],
    ['plain words', 'configuration', 'Ollama is running'],
    ['other JSON', 'configuration', '{"models":[]}'],
    ['an empty body', 'connection', ''],
    ['only the end of a stream', 'unknown', sse('[DONE]')],
    ['an error in the stream', 'serverError', sse({ error: { message: 'out of memory', type: 'server_error' } })],
    ['an error with a status', 'rateLimit', sse({ error: { message: 'slow down', code: 429 } })],
    [
      'an error that blames the request',
      'clientError',
      sse({ error: { message: 'no', type: 'invalid_request_error' } }),
    ],
    ['an error body with HTTP 200', 'serverError', '{"error":"model failed to load"}'],
    ['an old-style error event', 'serverError', sse({ object: 'error', message: 'bad', code: 50001 })],
  ] as [string, FailureClass, string][])('takes %s as %s', async (_what, failureClass, body) => {
    for (const type of ['text/event-stream', 'application/json', 'text/html']) {
      const failure = await failureOf((response) => response.writeHead(200, { 'content-type': type }).end(body));
      expect(failure.failureClass).toBe(failureClass);
    }
  });

  it('repeats nothing of what it could not read', async () => {
    const failure = await failureOf(refuse(200, {}, sse('{"choices": "private text of the user')));
    expect(allTextOf(failure)).not.toContain('private text');
  });
});

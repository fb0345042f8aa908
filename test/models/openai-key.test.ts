import { afterEach, describe, expect, it } from 'vitest';
import type { ModelError } from '../../src-main/domain/model-client.ts';
import { KEY, clientAt, closeProviders, failureAt, failureOf, play, refuse } from './support/failing-provider.ts';
import { allTextOf, readAnswer, sendStream, sse, stop, type Play } from './support/fake-provider.ts';

afterEach(closeProviders);

describe('the API key', () => {
  it('goes to the configured server as a bearer token, without the line break it was pasted with', async () => {
    const provider = await play((response) => sendStream(response, sse(stop, '[DONE]')));
    await readAnswer(clientAt(provider.baseUrl, `${KEY}\n`));
    await readAnswer(clientAt(provider.baseUrl, ' '));
    expect(provider.requests.map((request) => request.headers.authorization)).toEqual([`Bearer ${KEY}`, undefined]);
  });

  it.each([400, 401, 403, 404, 429, 500])(
    'never shows in an error when the server echoes it with HTTP %d',
    async (status) => {
      const echo: Play = (response, request) => {
        const key = String(request.headers.authorization);
        const said = `bad header ${key} ${encodeURIComponent(key)} ${Buffer.from(KEY).toString('base64')} sk-planted***`;
        response.writeHead(status, { 'x-echo': key, 'www-authenticate': key });
        response.end(JSON.stringify({ error: { message: said, param: key }, authorization: key }));
      };
      const failure = await failureOf(echo);
      expect(allTextOf(failure).includes('sk-planted')).toBe(status !== 401 && status !== 403);
    },
  );

  it('never shows when it is echoed as plain text, inside the stream or in a redirect', async () => {
    await failureOf((response, request) => response.writeHead(500).end(request.headers.authorization));
    await failureOf((response, request) =>
      sendStream(response, sse({ error: { message: request.headers.authorization } })),
    );
    await failureOf((response, request) => sendStream(response, String(request.headers.authorization)));
    await failureOf((response) =>
      response.writeHead(302, { location: `http://${encodeURIComponent(KEY)}.example/${KEY}` }).end(),
    );
  });

  it('is refused, unrepeated, when no header can carry it', async () => {
    const failure = (await readAnswer(clientAt('http://127.0.0.1:9/v1', 'sk-two words')).catch(
      (e: unknown) => e,
    )) as ModelError;
    expect(failure.failureClass).toBe('configuration');
    expect(allTextOf(failure)).not.toContain('words');
  });

  it.each([301, 302, 303, 307, 308])(
    'is not forwarded by a redirect (%d), which is reported instead',
    async (status) => {
      const other = await play((response) => sendStream(response, sse(stop, '[DONE]')));
      const failure = await failureOf(
        refuse(status, { location: `http://localhost:${other.host.split(':')[1]}/v1/chat/completions` }),
      );
      expect(failure.failureClass).toBe('configuration');
      expect(failure.message).toContain(`http://localhost:${other.host.split(':')[1]} (HTTP ${status})`);
      expect(other.requests).toEqual([]);
    },
  );
});

describe('base URLs', () => {
  it.each(['', 'localhost:11434', 'file:///etc/passwd', '/v1'])(
    'refuses %j as a matter of configuration',
    async (baseUrl) => {
      expect((await failureAt(baseUrl)).failureClass).toBe('configuration');
    },
  );

  it('refuses a password in the address and does not repeat it', async () => {
    const failure = await failureAt('http://user:hunter2@models.example/v1');
    expect(failure.failureClass).toBe('configuration');
    expect(allTextOf(failure)).not.toContain('hunter2');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiCompatibleClient } from '../../src-main/models/openai-compatible-client.ts';
import {
  FakeProvider,
  delta,
  readAnswer,
  sendStream,
  sse,
  stop,
  testDependencies,
  textRequest,
  type Play,
} from './support/fake-provider.ts';

let provider: FakeProvider | undefined;
afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

async function clientFor(answer: Play, path = '/v1') {
  provider = await new FakeProvider(answer).listen();
  const baseUrl = `http://${provider.host}${path}`;
  return createOpenAiCompatibleClient({ baseUrl, modelId: 'tiny', apiKey: null, timeoutMs: 5_000 }, testDependencies());
}

describe('answers of an OpenAI-compatible server', () => {
  it('streams text and ends with one finish that carries the provider’s reason and usage', async () => {
    const usage = { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } };
    const client = await clientFor((response) =>
      sendStream(
        response,
        sse(delta({ role: 'assistant', content: 'Hel' }), delta({ content: 'lo' }), stop, usage, '[DONE]'),
      ),
    );
    const answer = await readAnswer(client);
    expect(answer.parts).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'finish', reason: 'stop', inputTokens: 12, outputTokens: 3, costMicros: null },
    ]);
  });

  it('says null, not 0, when the provider reports no usage or half of it', async () => {
    const client = await clientFor((response, request) =>
      sendStream(
        response,
        sse(
          stop,
          ...(request.headers['x-client-request-id'] === 'half'
            ? [{ choices: [], usage: { completion_tokens: 0 } }]
            : []),
          '[DONE]',
        ),
      ),
    );
    expect((await readAnswer(client)).finish[0]).toMatchObject({
      inputTokens: null,
      outputTokens: null,
      costMicros: null,
    });
    const half = await readAnswer(client, { ...textRequest, runId: 'half' });
    expect(half.finish[0]).toMatchObject({ inputTokens: null, outputTokens: 0 });
  });

  it('passes reasoning on as thinking, under either field name', async () => {
    const client = await clientFor((response) =>
      sendStream(
        response,
        sse(
          delta({ reasoning_content: 'Let me ' }),
          delta({ reasoning: 'see.' }),
          delta({ content: 'Yes' }),
          stop,
          '[DONE]',
        ),
      ),
    );
    expect(await readAnswer(client)).toMatchObject({ thinking: 'Let me see.', text: 'Yes' });
  });

  it('keeps characters whole that are split across chunks', async () => {
    const bytes = Buffer.from(sse(delta({ content: 'Grüße 👩‍🚀 – 日本' }), stop, '[DONE]').replaceAll('\n', '\r\n'));
    const client = await clientFor((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const writeFrom = (position: number): void => {
        if (position === bytes.length) response.end();
        else response.write(bytes.subarray(position, position + 1), () => setImmediate(writeFrom, position + 1));
      };
      writeFrom(0);
    });
    expect((await readAnswer(client)).text).toBe('Grüße 👩‍🚀 – 日本');
  });

  it('takes an empty answer for an answer', async () => {
    const client = await clientFor((response) => sendStream(response, sse(delta({ content: '' }), stop, '[DONE]')));
    expect((await readAnswer(client)).parts).toEqual([expect.objectContaining({ type: 'finish', reason: 'stop' })]);
  });

  it('reads a huge answer, streamed and in one event', async () => {
    const piece = 'x'.repeat(50_000);
    const pieces = await clientFor((response) =>
      sendStream(response, sse(...Array.from({ length: 100 }, () => delta({ content: piece })), stop, '[DONE]')),
    );
    expect((await readAnswer(pieces)).text).toHaveLength(5_000_000);
    await provider?.close();
    const whole = await clientFor((response) =>
      sendStream(response, sse(delta({ content: piece.repeat(100) }), stop, '[DONE]')),
    );
    expect((await readAnswer(whole)).text).toHaveLength(5_000_000);
  });

  it('ignores keep-alive comments, pings, unknown fields and a missing blank line at the end', async () => {
    const client = await clientFor((response) =>
      sendStream(
        response,
        ': hi\n\nevent: ping\ndata: {"type":"ping"}\n\nid: 7\nretry: 10\n',
        sse(delta({ content: 'a' })),
        `data:${JSON.stringify(stop)}`,
      ),
    );
    expect((await readAnswer(client)).text).toBe('a');
  });

  it('takes [DONE] for the end although no reason was given, and does not wait for the connection to close', async () => {
    const client = await clientFor((response) => {
      response.writeHead(200);
      response.write(sse(delta({ content: 'a' }), '[DONE]'));
    });
    expect((await readAnswer(client)).finish).toMatchObject([{ reason: 'unstated' }]);
    await provider?.firstClosed;
  });

  it('keeps a finished answer when the server breaks the connection afterwards', async () => {
    const client = await clientFor((response) => {
      response.writeHead(200);
      response.write(sse(delta({ content: 'whole' }), stop), () => response.destroy());
    });
    expect((await readAnswer(client)).text).toBe('whole');
  });

  it('understands a server that answers in one piece although streaming was asked for', async () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_record', arguments: { id: 42 } } }],
    };
    const body = {
      id: 'x',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 5, completion_tokens: 6 },
    };
    const client = await clientFor((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body, null, 2));
    });
    const answer = await readAnswer(client);
    expect(answer.calls).toEqual([{ id: 'a', name: 'get_record', argumentsText: '{"id":42}' }]);
    expect(answer.finish).toMatchObject([{ reason: 'tool_calls', inputTokens: 5, outputTokens: 6 }]);
  });

  it.each([
    ['/v1', '/v1/chat/completions'],
    ['/v1///', '/v1/chat/completions'],
    ['', '/chat/completions'],
    ['/deployments/x/?api-version=2', '/deployments/x/chat/completions?api-version=2'],
  ])('asks under the base path %j', async (path, url) => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')), path);
    await readAnswer(client);
    expect(provider?.requests.map((request) => request.url)).toEqual([url]);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src-main/domain/message.ts';
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

async function clientFor(answer: Play) {
  provider = await new FakeProvider(answer).listen();
  return createOpenAiCompatibleClient(
    { baseUrl: provider.baseUrl, modelId: 'tiny', apiKey: null, timeoutMs: 300 },
    testDependencies(),
  );
}

const user: Message = { role: 'user', content: 'Check page 42' };
const asks = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'get_record', arguments: {} })),
});
const answers = (callId: string): Message => ({
  role: 'tool',
  callId,
  toolName: 'get_record',
  content: '{}',
  isError: false,
});

describe('requests to an OpenAI-compatible server', () => {
  it('R-174 writes arguments as JSON text, empty arguments as an object and empty content beside calls as ""', async () => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
    const messages: Message[] = [
      { role: 'system', content: 'Be brief.' },
      user,
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'a', name: 'get_record', arguments: {} },
          { id: 'b', name: 'get_record', arguments: { key: { id: 42 }, text: 'ü"\n' } },
        ],
      },
      answers('a'),
      { role: 'tool', callId: 'b', toolName: 'get_record', content: 'not permitted', isError: true },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ];
    await readAnswer(client, { ...textRequest, messages });
    expect(provider?.requests[0]?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Check page 42' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_record', arguments: '{}' } },
          {
            id: 'b',
            type: 'function',
            function: { name: 'get_record', arguments: '{"key":{"id":42},"text":"ü\\"\\n"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '{}' },
      { role: 'tool', tool_call_id: 'b', content: 'not permitted' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('R-128 never sends an empty list of tools, and sends each tool with its schema', async () => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
    const parameters = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false };
    await readAnswer(client);
    await readAnswer(client, { ...textRequest, tools: [{ name: 'get_record', description: 'Reads.', parameters }] });
    expect(provider?.requests.map((request) => request.body.tools)).toEqual([
      undefined,
      [{ type: 'function', function: { name: 'get_record', description: 'Reads.', parameters } }],
    ]);
  });

  it('sends model, limits and the request for usage, and only what was set', async () => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
    await readAnswer(client);
    await readAnswer(client, { ...textRequest, temperature: 0, maxOutputTokens: 50 });
    const common = {
      model: 'tiny',
      stream: true,
      stream_options: { include_usage: true },
      messages: textRequest.messages,
    };
    expect(provider?.requests.map((request) => request.body)).toEqual([
      common,
      { ...common, temperature: 0, max_tokens: 50 },
    ]);
  });

  it('sends the run as correlation id, and none when there is no run', async () => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
    await readAnswer(client);
    await readAnswer(client, { ...textRequest, runId: '' });
    expect(provider?.requests.map((request) => request.headers['x-client-request-id'])).toEqual(['run-1', undefined]);
  });

  it.each([
    ['an orphan call at the end', [user, asks('a')], /message 3: the call of get_record has no result/],
    [
      'a call answered too late',
      [user, asks('a'), user, answers('a')],
      /message 3: the call of get_record has no result/,
    ],
    ['one of two calls unanswered', [user, asks('a', 'b'), answers('b')], /message 4: the call of get_record/],
    [
      'T-29 a result given twice',
      [user, asks('a'), answers('a'), answers('a')],
      /message 4: the result of get_record answers no open call/,
    ],
    ['a result without a call', [user, answers('a')], /message 2/],
    ['two calls with one id', [user, asks('a', 'a'), answers('a')], /message 2: two calls share the id a/],
    ['an empty list of calls', [user, asks()], /message 2: an answer has an empty list/],
    ['a call without an id', [user, asks('')], /message 2: the call of get_record has no id/],
  ] as [string, Message[], RegExp][])(
    'T-32 sends nothing when the transcript has %s',
    async (_what, messages, sentence) => {
      const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
      await expect(readAnswer(client, { ...textRequest, messages })).rejects.toMatchObject({
        failureClass: 'unknown',
        message: expect.stringMatching(sentence) as string,
      });
      expect(provider?.requests).toEqual([]);
    },
  );

  it('T-32 sends a transcript whose ids start again in every turn', async () => {
    const client = await clientFor((response) => sendStream(response, sse(stop, '[DONE]')));
    const messages = [user, asks('0', '1'), answers('1'), answers('0'), asks('0'), answers('0')];
    expect((await readAnswer(client, { ...textRequest, messages })).finish).toHaveLength(1);
  });
});

describe('cancelling a question', () => {
  const reason = new Error('cancelled by a person');

  it('throws the signal’s own reason in the middle of a stream and closes the connection', async () => {
    const client = await clientFor((response) => response.writeHead(200).write(sse(delta({ content: 'a' }))));
    const controller = new AbortController();
    const reading = (async () => {
      for await (const part of client.complete(textRequest, controller.signal)) {
        expect(part).toEqual({ type: 'text', text: 'a' });
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await provider?.firstClosed;
  });

  it('throws the reason while it waits for an answer or for an explanation', async () => {
    for (const status of [0, 500]) {
      const controller = new AbortController();
      const client = await clientFor((response) => {
        if (status) response.writeHead(status).write('{');
        setTimeout(() => controller.abort(reason), 20);
      });
      await expect(readAnswer(client, textRequest, controller.signal)).rejects.toBe(reason);
      await provider?.firstClosed;
      await provider?.close();
    }
  });

  it('sends nothing when it is cancelled already', async () => {
    const client = await clientFor(() => {});
    await expect(readAnswer(client, textRequest, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(provider?.requests).toEqual([]);
  });

  it('closes the connection when the reader leaves the stream', async () => {
    const client = await clientFor((response) => response.writeHead(200).write(sse(delta({ content: 'a' }))));
    for await (const part of client.complete(textRequest, new AbortController().signal)) {
      expect(part.type).toBe('text');
      break;
    }
    const tooLate = new Promise((resolve) => setTimeout(resolve, 200, 'closed by the timeout only'));
    expect(await Promise.race([provider?.firstClosed, tooLate])).toBeUndefined();
  });
});

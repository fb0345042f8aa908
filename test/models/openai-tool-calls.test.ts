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
  return createOpenAiCompatibleClient({ baseUrl, modelId: 'tiny', apiKey: null, timeoutMs: 300 }, testDependencies());
}

const callDelta = (...toolCalls: object[]): object => delta({ tool_calls: toolCalls });

describe('tool calls of an OpenAI-compatible server', () => {
  it('puts interleaved parallel calls together that are split over chunks', async () => {
    const client = await clientFor((response) =>
      sendStream(
        response,
        sse(
          callDelta({ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }),
          callDelta({ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '{"n"' } }),
          callDelta({ index: 0, function: { arguments: '{"k":"ü' } }, { index: 1, function: { arguments: ':2}' } }),
          callDelta({ index: 0, function: { arguments: '"}' } }),
          delta({}, 'tool_calls'),
          '[DONE]',
        ),
      ),
    );
    const answer = await readAnswer(client);
    expect(answer.calls).toEqual([
      { id: 'a', name: 'one', argumentsText: '{"k":"ü"}' },
      { id: 'b', name: 'two', argumentsText: '{"n":2}' },
    ]);
    expect(answer.parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
  });

  it('X-13 keeps undecodable arguments exactly as the model wrote them', async () => {
    const written = '{"key": {"id": 42, } oops\\';
    const client = await clientFor((response) =>
      sendStream(
        response,
        sse(
          callDelta({ index: 0, id: 'a', function: { name: 'update_record', arguments: written } }),
          delta({}, 'length'),
          '[DONE]',
        ),
      ),
    );
    expect((await readAnswer(client)).calls).toEqual([{ id: 'a', name: 'update_record', argumentsText: written }]);
  });

  it('R-173 takes arguments as JSON text or as a map for the same, and absent ones for an empty object', async () => {
    const calls = [
      { index: 0, id: 'a', function: { name: 't', arguments: '{"id":1}' } },
      { index: 1, id: 'b', function: { name: 't', arguments: { id: 1 } } },
      { index: 2, id: 'c', function: { name: 't' } },
      { index: 3, id: 'd', function: { name: 't', arguments: ' ' } },
      { index: 4, id: 'e', function: { name: 't', arguments: null } },
    ];
    const client = await clientFor((response) => sendStream(response, sse(callDelta(...calls), stop, '[DONE]')));
    expect((await readAnswer(client)).calls.map((call) => call.argumentsText)).toEqual([
      '{"id":1}',
      '{"id":1}',
      '{}',
      '{}',
      '{}',
    ]);
  });

  it('gives a call without an id one of ours and keeps odd ids', async () => {
    const calls = [
      { index: 0, function: { name: 'one', arguments: '{}' } },
      { index: 1, id: '', function: { name: 'two', arguments: '{}' } },
      { index: 2, id: 7, function: { name: 'three', arguments: '{}' } },
      { index: 3, id: 'functions.x:0 ü', function: { name: 'four', arguments: '{}' } },
    ];
    const client = await clientFor((response) => sendStream(response, sse(callDelta(...calls), stop, '[DONE]')));
    expect((await readAnswer(client)).calls.map((call) => call.id)).toEqual(['new-1', 'new-2', '7', 'functions.x:0 ü']);
  });

  it('keeps two calls apart that share one id', async () => {
    const calls = [0, 1].map((n) => ({ index: n, id: 'same', function: { name: 't', arguments: `{"n":${n}}` } }));
    const client = await clientFor((response) => sendStream(response, sse(callDelta(...calls), stop, '[DONE]')));
    expect((await readAnswer(client)).calls).toEqual([
      { id: 'same', name: 't', argumentsText: '{"n":0}' },
      { id: 'same', name: 't', argumentsText: '{"n":1}' },
    ]);
  });

  it('keeps calls apart that share one index or have none', async () => {
    const sameIndex = [
      { index: 0, id: 'a', function: { name: 't', arguments: '{"n":1}' } },
      { index: 0, id: 'b', function: { name: 't', arguments: '{"n":2}' } },
      { index: 0, function: { name: 't', arguments: '{"n":3}' } },
      { index: 0, function: { arguments: ' ' } },
    ];
    const noIndex = [
      { function: { name: 't', arguments: '{"n":4}' } },
      { function: { name: 't', arguments: '{"n":5}' } },
    ];
    const client = await clientFor((response, request) =>
      sendStream(
        response,
        sse(
          ...(request.headers['x-client-request-id'] === 'none' ? noIndex : sameIndex).map((call) => callDelta(call)),
          stop,
          '[DONE]',
        ),
      ),
    );
    expect((await readAnswer(client)).calls.map((call) => JSON.parse(call.argumentsText))).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    const none = await readAnswer(client, { ...textRequest, runId: 'none' });
    expect(none.calls.map((call) => call.argumentsText)).toEqual(['{"n":4}', '{"n":5}']);
  });

  it('joins fragments whose server repeats name and id every time', async () => {
    const pieces = ['{"a":', '{}', '}'].map((text) => ({
      index: 0,
      id: 'a',
      function: { name: 't', arguments: text },
    }));
    const client = await clientFor((response) =>
      sendStream(response, sse(...pieces.map((call) => callDelta(call)), stop, '[DONE]')),
    );
    expect((await readAnswer(client)).calls).toEqual([{ id: 'a', name: 't', argumentsText: '{"a":{}}' }]);
  });

  it('keeps a call without a name, so that it can be answered', async () => {
    const client = await clientFor((response) =>
      sendStream(response, sse(callDelta({ index: 0, id: 'a', function: { arguments: '{}' } }), stop, '[DONE]')),
    );
    expect((await readAnswer(client)).calls).toEqual([{ id: 'a', name: '', argumentsText: '{}' }]);
  });
});

import { expect, it } from 'vitest';
import { createModelClient } from '../../src-main/models/model-factory.ts';
import {
  FakeProvider,
  readAnswer,
  sendStream,
  sse,
  stop,
  testDependencies,
  textRequest,
} from './support/fake-provider.ts';

it('makes a client of each kind from a configuration, with its key, model and waiting time', async () => {
  const provider = await new FakeProvider((response, request) => {
    if (request.body.model === 'tiny') sendStream(response, sse(stop, '[DONE]'));
  }).listen();
  const ask = (modelId: string) =>
    readAnswer(
      createModelClient(
        { kind: 'openai_compatible', baseUrl: provider.baseUrl, modelId, timeoutMs: 50 },
        { apiKey: 'sk-1' },
        testDependencies(),
      ),
      textRequest,
    );
  expect((await ask('tiny')).finish).toHaveLength(1);
  expect(provider.requests[0]?.headers.authorization).toBe('Bearer sk-1');
  await expect(ask('silent')).rejects.toThrow(/^Model silent at .+ no answer began within 0.05 s/);
  await provider.close();
});

it('makes a client even of settings that cannot work; asking it says what is wrong', async () => {
  const broken = [
    createModelClient({ kind: 'scripted', scenarioPath: '/nowhere/x.json' }, { apiKey: null }, testDependencies()),
    createModelClient({ kind: 'openai_compatible', baseUrl: '?', modelId: 'm' }, { apiKey: null }, testDependencies()),
  ];
  for (const client of broken) {
    await expect(readAnswer(client)).rejects.toMatchObject({ failureClass: 'configuration' });
  }
});

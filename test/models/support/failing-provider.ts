import { expect } from 'vitest';
import { ModelError } from '../../../src-main/domain/model-client.ts';
import { createOpenAiCompatibleClient } from '../../../src-main/models/openai-compatible-client.ts';
import { FakeProvider, allTextOf, readAnswer, testDependencies, type Play } from './fake-provider.ts';

/** The key every client here holds; no error may ever show it. */
export const KEY = 'sk-planted/Key+0123456789==';
const NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 0);

const providers: FakeProvider[] = [];
/** For `afterEach`: ends every provider that `play` started. */
export async function closeProviders(): Promise<void> {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
}

export async function play(answer: Play): Promise<FakeProvider> {
  const provider = await new FakeProvider(answer).listen();
  providers.push(provider);
  return provider;
}

export function clientAt(baseUrl: string, apiKey: string | null = KEY, timeoutMs = 150) {
  return createOpenAiCompatibleClient(
    { baseUrl, modelId: 'tiny', apiKey, timeoutMs, connectTimeoutMs: 150 },
    testDependencies(NOW_MS),
  );
}

/** The failure of one question; proves on the way what holds for every failure. */
export async function failureAt(baseUrl: string, apiKey: string | null = KEY): Promise<ModelError> {
  const error: unknown = await readAnswer(clientAt(baseUrl, apiKey)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  for (const spelling of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]) {
    expect(allTextOf(error)).not.toContain(spelling);
  }
  return error as ModelError;
}

export async function failureOf(answer: Play, apiKey: string | null = KEY): Promise<ModelError> {
  const provider = await play(answer);
  const failure = await failureAt(provider.baseUrl, apiKey);
  expect(failure.message).toMatch(/^Model tiny at 127\.0\.0\.1:\d+: .+\.$/);
  expect(provider.requests.length, 'one request, no retry').toBe(1);
  return failure;
}

export function refuse(status: number, headers: Record<string, string> = {}, body = ''): Play {
  return (response) => response.writeHead(status, headers).end(body);
}

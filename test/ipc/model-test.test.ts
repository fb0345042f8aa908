import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openService, type OpenService } from '../../src-main/compose.ts';
import type { Supervisor } from '../../src-main/workers/supervisor.ts';
import type { Reply } from '../../src-shared/ipc/entry.ts';
import { delta, FakeProvider, sendStream, sse, stop, type Play } from '../models/support/fake-provider.ts';
import { eventually, openWorld, proposeOnce, RENAME, type World } from '../support/world.ts';

const KEY = 'sk-planted-fedcba9876543210';

const streamed =
  (...deltas: object[]): Play =>
  (response) =>
    sendStream(response, sse(...deltas.map((fields) => delta(fields)), stop, '[DONE]'));
const toolCall = (name: string): object => ({
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: '{}' } }],
});

/** A model is asked by a worker process, never by the host: real processes, a real server, the real answer to the page. */
describe('testing a model', () => {
  let world: World;
  let pool: Supervisor;
  let service: OpenService;
  const providers: FakeProvider[] = [];

  beforeAll(async () => {
    world = await openWorld(proposeOnce(RENAME));
    pool = world.pool(1);
    await pool.ready();
    service = openService(world.opened, pool, {
      surface: 'browser',
      version: '0',
      openWindow: () => Promise.resolve(null),
      callerUrl: import.meta.url,
    });
  });
  afterEach(async () => {
    for (const provider of providers.splice(0)) await provider.close();
  });
  afterAll(async () => {
    await service.close();
    await pool.stop(2_000);
    const log = read(`${world.databasePath}.log`);
    await world.dispose();
    expect(log).not.toContain(KEY);
  });

  async function serve(play: Play): Promise<FakeProvider> {
    const provider = await new FakeProvider(play).listen();
    providers.push(provider);
    return provider;
  }
  const test = (baseUrl: string, changes: object = {}): Promise<Reply> =>
    service.call('configurations.testModel', {
      configurationId: null,
      baseUrl,
      modelId: 'tiny',
      key: { kind: 'new', key: KEY },
      ...changes,
    });

  it('says that it works, with its first words, and asks with the key that was entered', async () => {
    const provider = await serve(streamed({ content: 'I am ready.' }, toolCall('report_ready')));
    expect(await test(provider.baseUrl)).toMatchObject({
      ok: true,
      value: { reached: true, answer: 'I am ready.', callsTools: true },
    });
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(provider.requests[0]?.body).toMatchObject({
      model: 'tiny',
      tools: [{ function: { name: 'report_ready' } }],
    });
  });

  it.each([
    ['only talks', [{ content: 'Sure, I am ready.' }]],
    ['calls some other tool', [toolCall('delete_everything')]],
  ])('says when a model %s', async (_what, deltas) => {
    const provider = await serve(streamed(...deltas));
    expect(await test(provider.baseUrl)).toMatchObject({ value: { reached: true, callsTools: false } });
  });

  it('bounds what a model says', async () => {
    const provider = await serve(streamed({ content: 'x'.repeat(100_000) }));
    const reply = (await test(provider.baseUrl)) as { value: { answer: string } };
    expect(reply.value.answer.length).toBeLessThan(600);
  });

  it.each<[string, Play, object]>([
    [
      'refuses the key and repeats it',
      (response) => response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } })),
      { failureClass: 'auth', sentence: expect.stringContaining('refused the API key') as string, detail: 'HTTP 401' },
    ],
    [
      'does not know the model',
      (response) => response.writeHead(404).end(JSON.stringify({ error: { message: `no tiny for ${KEY}` } })),
      { failureClass: 'clientError', detail: expect.stringContaining('no tiny for [key removed]') as string },
    ],
    [
      'sends us elsewhere',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/v1' }).end(),
      { failureClass: 'configuration', sentence: expect.stringContaining('is not followed') as string },
    ],
  ])('tells the real reason when the server %s', async (_what, play, failure) => {
    const provider = await serve(play);
    const reply = await test(provider.baseUrl);
    expect(reply).toMatchObject({ ok: true, value: { reached: false, ...failure } });
    expect(JSON.stringify(reply)).not.toContain(KEY);
  });

  it('tells that nothing listens there', async () => {
    expect(await test('http://127.0.0.1:9/v1')).toMatchObject({
      value: { reached: false, failureClass: 'connection', detail: expect.stringContaining('ECONNREFUSED') as string },
    });
  });

  it('gives up a server that never answers, as soon as the configuration says', async () => {
    const provider = await serve(() => undefined);
    const { store } = world.opened.installation;
    const model = { kind: 'openai_compatible' as const, baseUrl: provider.baseUrl, modelId: 'tiny', timeoutMs: 200 };
    const configuration = { ...world.configuration, settings: { ...world.configuration.settings, model } };
    await store.saveConfiguration(configuration, KEY, 1);
    const reply = await test(provider.baseUrl, { configurationId: configuration.id, key: { kind: 'keep' } });
    expect(reply).toMatchObject({
      value: {
        reached: false,
        failureClass: 'connection',
        sentence: expect.stringContaining('no answer began within 0.2 s') as string,
      },
    });
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('ends when its worker is killed in the middle, and works again with the next', async () => {
    const silent = await serve(() => undefined);
    const asked = test(silent.baseUrl);
    await eventually(() => silent.requests.length > 0);
    process.kill(pool.workers()[0]?.pid ?? -1, 'SIGKILL');
    expect(await asked).toEqual({ ok: false, refusal: { kind: 'no_worker' } });
    // The next one is not ready at once; who asks now waits for it.
    expect(pool.workers()[0]?.state).not.toBe('ready');
    const provider = await serve(streamed({ content: 'ok' }));
    expect(await test(provider.baseUrl)).toMatchObject({ value: { reached: true } });
    expect(pool.lastWorkerEndAtMs()).toBeGreaterThan(0);
  });
});

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

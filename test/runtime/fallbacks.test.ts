import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Configuration } from '../../src-main/domain/configuration.ts';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { createFakeModel, type FakeModel, type Scripted } from '../support/fake-model.ts';
import type { RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const at = (port: number, modelId: string) =>
  ({ kind: 'openai_compatible', baseUrl: `http://127.0.0.1:${port}/v1`, modelId }) as const;
const overloaded = new ModelError('serverError', 'The model is overloaded.');

describe('the models of a run', () => {
  const open = useRuntime();
  let models: Map<string, FakeModel>;
  beforeEach(() => {
    models = new Map();
  });

  /** A run's own model `own` and, for each entry, a configuration to fall back to. */
  function chain(
    own: Scripted[] | (() => Scripted),
    others: Record<string, { script: Scripted[]; changes?: Partial<Configuration['settings']>; isActive?: boolean }>,
  ): RuntimeFixture {
    const f = open([], { model: at(1, 'own'), fallbacks: Object.keys(others) });
    models.set(f.configuration.id, createFakeModel(typeof own === 'function' ? () => own() as never : own));
    Object.entries(others).forEach(([identifier, { script, changes, isActive = true }], index) => {
      const settings = { ...DEFAULT_SETTINGS, model: at(index + 2, `${identifier}-model`), ...changes };
      saveConfiguration(f.statements, f.sealer, { id: identifier, identifier, isActive, settings }, null, 1);
      models.set(identifier, createFakeModel(script));
    });
    f.ports.modelFor = async ({ id }) => models.get(id) as FakeModel;
    return f;
  }
  const llm = async (f: RuntimeFixture, id: string) => (await f.events(id)).find(({ kind }) => kind === 'llm')?.payload;

  it('answers from the next one when the first is overloaded, and says which answered', async () => {
    const f = chain([overloaded], { spare: { script: [{ text: 'from the spare' }] } });
    const { id } = await f.start();
    expect(await f.segment()).toBe('completed');
    expect(await llm(f, id)).toMatchObject({
      model: 'spare-model',
      fallback: 'spare',
      attempts: [{ configuration: 'sample', failureClass: 'serverError' }],
    });
  });

  it('R-4 and R-96 is judged by the last failure when all fail, and all of them are recorded', async () => {
    const f = chain([overloaded], { spare: { script: [new ModelError('auth', 'The key is wrong.')] } });
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    const finished = (await f.events(id)).at(-1)?.payload;
    expect(finished).toMatchObject({
      failureClass: 'auth',
      attempts: [{ failureClass: 'serverError' }, { failureClass: 'auth' }],
    });
  });

  it('asks nobody else about a failure that is the same everywhere', async () => {
    const f = chain([new ModelError('clientError', 'Too long.')], { spare: { script: [] } });
    await f.start();
    expect(await f.segment()).toBe('failed');
    expect(models.get('spare')?.requests).toEqual([]);
  });

  it.each([
    ['is switched off', { isActive: false }],
    ['is further away', { changes: { trustZone: 'externalGlobal' as const } }],
    ['has no room', { changes: { contextWindow: 1_600 } }],
  ])('leaves out one that %s', async (_, changes) => {
    const f = chain([overloaded], { spare: { script: [], ...changes } });
    await f.start({ prompt: 'x'.repeat(9_000) });
    expect(await f.segment()).toBe('requeued');
    expect(models.get('spare')?.requests).toEqual([]);
  });

  it('leaves a server alone after five failures in a row; what waits for it is not counted and goes on by itself', async () => {
    let isUp = false;
    const f = chain(() => (isUp ? { text: 'back' } : overloaded), {});
    const ids: string[] = [];
    for (let run = 0; run < 6; run += 1) ids.push((await f.start()).id);
    for (const _ of ids) expect(await f.segment()).toBe('requeued');
    const own = models.get(f.configuration.id) as FakeModel;
    expect(own.requests).toHaveLength(5);
    expect(await f.row(ids[5] as string)).toMatchObject({ requeueCount: 0, hold: 'offline' });
    isUp = true;
    await f.clock.advance(30_000);
    for (const _ of ids) expect(await f.segment()).toBe('completed');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangeFeed } from '../../src-main/ipc/change-feed.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { until } from '../support/fake-clock.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { enqueueInput } from '../support/store.ts';
import { useRuntime } from '../support/use-runtime.ts';

describe('the change feed', () => {
  const open = useRuntime();
  let f: RuntimeFixture;
  let feed: ChangeFeed;
  let told: { name: string; payload: unknown; atMs: number }[];

  beforeEach(() => {
    f = open(() => ({ text: 'done' }));
    told = [];
    feed = new ChangeFeed({ source: f.store, clock: f.clock, report: f.ports.report });
    feed.onTopic((name, payload) => told.push({ name, payload, atMs: f.clock.monotonicMs() }));
  });
  afterEach(async () => {
    await feed.close();
    expect(f.clock.openPauses()).toBe(0);
  });
  const names = (): string[] => told.map(({ name }) => name);

  /** Another process, as far as SQLite can tell: a connection of its own that says nothing to anybody. */
  async function elsewhere(work: (store: ReturnType<typeof createSqliteRunStore>, statements: Statements) => unknown) {
    const database = openConnection(f.path);
    try {
      await work(createSqliteRunStore(database, f.sealer, systemClock), new Statements(database));
    } finally {
      database.close();
    }
  }

  it('tells of a run that another process stored, within a quarter of a second, without a word from it', async () => {
    let runId = '';
    await elsewhere(async (store) => {
      const input = enqueueInput(f.configuration.id, { actor: OWNER });
      runId = input.id;
      expect(await store.transition(input.id, { kind: 'enqueue', input, nowMs: f.clock.nowMs() })).toMatchObject({
        ok: true,
      });
    });
    expect(told).toEqual([]);
    await f.clock.advance(300);
    expect(told).toMatchObject([
      { name: 'runs.changed', payload: { runIds: [runId] } },
      { name: 'host.healthChanged', payload: {} },
    ]);
    expect(told[0]?.atMs).toBeLessThanOrEqual(300);
    await f.clock.advance(5_000);
    expect(told).toHaveLength(2);
  });

  it('tells of a configuration that another process saved, and only of that', async () => {
    await elsewhere((_store, statements) => {
      saveConfiguration(statements, f.sealer, { ...f.configuration, isActive: false }, undefined, 2);
    });
    await f.clock.advance(300);
    expect(names()).toEqual(['configurations.changed']);
  });

  it('is not disturbed by a commit that changed nothing a page shows', async () => {
    await elsewhere((store) => store.touchWorker({ id: 'w', pid: 1, transport: 'pool', nowMs: 1 }));
    await f.clock.advance(1_000);
    expect(told).toEqual([]);
  });

  it('tells of a nudge at once, then at most once in 50 ms, and always of the last', async () => {
    f.store.onCommitted(() => feed.nudge());
    const first = await f.start();
    await until(() => told.length > 0, 'the first message');
    expect(told[0]).toMatchObject({ payload: { runIds: [first.id] }, atMs: 0 });
    const others = [await f.start(), await f.start(), await f.start()];
    await f.clock.advance(200);
    const changed = told.filter(({ name }) => name === 'runs.changed');
    expect(changed.map(({ atMs }) => atMs)).toEqual([0, 50]);
    const second = changed[1]?.payload as { runIds: string[] } | undefined;
    expect(second?.runIds.toSorted()).toEqual(others.map((run) => run.id).toSorted());
  });

  it('asks to look at everything when more moved than can be named', async () => {
    for (let index = 0; index < 201; index += 1) await f.start();
    await f.clock.advance(300);
    feed.nudge();
    await f.clock.advance(100);
    expect(told[0]).toMatchObject({ name: 'runs.changed', payload: { runIds: [] } });
  });

  it('tells of workers that moved, and goes on when a listener breaks', async () => {
    feed.onTopic(() => {
      throw new Error('a broken window');
    });
    const seen: string[] = [];
    feed.onTopic((name) => seen.push(name));
    feed.nudgeHealth();
    await f.clock.advance(10);
    expect(seen).toEqual(['host.healthChanged']);
    expect(f.reports).toMatchObject([{ where: 'topics' }]);
  });
});

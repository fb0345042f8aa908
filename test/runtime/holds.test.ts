import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { startWorkerLoop } from '../../src-main/workers/worker-loop.ts';
import { until } from '../support/fake-clock.ts';
import { call, type Scripted } from '../support/fake-model.ts';
import { OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const gone = new ModelError('connection', 'The endpoint cannot be reached.');
const setTitle = call('set_x', { key: 'title', value: 'new title' });
const HOUR_MS = 3_600_000;
const ADMIN = { kind: 'operator', operatorId: 1 } as const;

describe('a run whose endpoint cannot be reached', () => {
  const open = useRuntime();

  it('is held, uncounted, and asked for again after 5 s, doubling to 10 minutes', async () => {
    const f = open(() => gone);
    const { id } = await f.start();
    const waits: number[] = [];
    for (let probe = 0; probe < 9; probe += 1) {
      expect(await f.segment()).toBe('requeued');
      const row = await f.row(id);
      expect(row).toMatchObject({ status: 'queued', hold: 'offline', requeueCount: 0 });
      waits.push(row.nextAttemptAtMs - f.clock.nowMs());
      await f.clock.advance(row.nextAttemptAtMs - f.clock.nowMs());
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600].map((seconds) => seconds * 1_000));
  });

  it('fails only when the limit of its configuration is over, and says so', async () => {
    const f = open(() => gone, { offlineLimitMs: HOUR_MS });
    const { id } = await f.start();
    const startedMs = f.clock.nowMs();
    while ((await f.row(id)).status === 'queued') {
      await f.segment();
      const { nextAttemptAtMs, status } = await f.row(id);
      if (status === 'queued') await f.clock.advance(nextAttemptAtMs - f.clock.nowMs());
    }
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'retries_exhausted', requeueCount: 0 });
    expect(f.clock.nowMs() - startedMs).toBeGreaterThanOrEqual(HOUR_MS);
  });

  it('forgets the outage with the first answer', async () => {
    const answers: Scripted[] = [gone, { calls: [call('read_x', { key: 'title' })] }, gone];
    const f = open(answers);
    const { id } = await f.start();
    await f.segment();
    await f.clock.advance(5_000);
    await f.segment();
    expect(await f.row(id)).toMatchObject({ hold: 'offline', offlineDelayMs: 5_000, offlineSinceMs: f.clock.nowMs() });
  });

  it('R-106 ends an interactive one that nobody decided anything in, and holds one that was decided', async () => {
    const f = open([gone, { calls: [setTitle] }, gone, { text: 'done' }]);
    const wanted = {
      configurationId: f.configuration.id,
      label: '',
      prompt: 'x',
      maxRounds: null,
      allowedToolNames: null,
    };
    const first = f.runtime.run(OWNER, wanted);
    await until(async () => (await f.store.nextDueAtMs()) !== null);
    expect(await f.segment()).toBe('failed');
    await f.clock.advance(200);
    expect(await first).toMatchObject({ value: { status: 'failed', endReason: 'provider_failed' } });
    const second = f.runtime.run(OWNER, wanted);
    await until(async () => (await f.store.nextDueAtMs()) !== null);
    await f.segment();
    await f.clock.advance(200);
    const waiting = await second;
    const id = waiting.ok ? waiting.value.id : '';
    await f.approve(id);
    expect(await f.segment()).toBe('requeued');
    await f.clock.advance(5_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ tool }) => tool)).toEqual(['set_x']);
  });

  it('T-15 is asked for at once when a person says so', async () => {
    const f = open([gone, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    expect(await f.runtime.retry(OUTSIDER, id)).toMatchObject({ refusal: { kind: 'unknown_run' } });
    expect(await f.runtime.retry(OWNER, id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(await f.kinds(id)).toContain('retried');
    expect(await f.runtime.retry(OWNER, id)).toMatchObject({ refusal: { kind: 'not_delayed', status: 'completed' } });
  });

  it('is due at once when a run of the same server gets an answer', async () => {
    let isUp = false;
    const f = open(() => (isUp ? { text: 'done' } : gone));
    const held = await f.start();
    await f.segment();
    isUp = true;
    await f.start();
    const loop = startWorkerLoop({
      ports: f.ports,
      workerId: 'w9',
      pid: 1,
      transport: 'test',
      newOwnerToken: () => `token-${Math.random()}`,
      hasRoom: () => true,
    });
    try {
      await until(async () => (await f.row(held.id)).status === 'completed');
    } finally {
      await loop.stop();
    }
  });

  it('20 approved writes and an hour without the endpoint: all complete, none is asked about twice', async () => {
    let isUp = true;
    let asked = 0;
    const f = open(({ messages }) => {
      if (!isUp) return gone;
      if (messages.some(({ role }) => role === 'tool')) return { text: 'done' };
      return { calls: [call('set_x', { key: `key ${(asked += 1)}`, value: 'new' })] };
    });
    const ids: string[] = [];
    for (let run = 0; run < 20; run += 1) ids.push((await f.start()).id);
    for (const _ of ids) await f.segment();
    isUp = false;
    for (const id of ids) expect(await f.approve(id)).toMatchObject({ ok: true });
    const endMs = f.clock.nowMs() + HOUR_MS;
    while (f.clock.nowMs() < endMs) {
      const dueAtMs = (await f.store.nextDueAtMs()) ?? endMs;
      if (dueAtMs > f.clock.nowMs()) await f.clock.advance(Math.min(dueAtMs, endMs) - f.clock.nowMs());
      else await f.segment();
    }
    isUp = true;
    await f.store.endOffline(null, f.clock.nowMs());
    while ((await f.store.nextDueAtMs()) !== null) await f.segment();
    const rows = await Promise.all(ids.map((id) => f.row(id)));
    expect(rows.filter(({ status }) => status === 'completed')).toHaveLength(20);
    expect(rows.filter(({ requeueCount }) => requeueCount > 0)).toEqual([]);
    for (const id of ids) {
      const kinds = await f.kinds(id);
      expect([kinds.filter((kind) => kind === 'suspended'), kinds.filter((kind) => kind === 'approval')]).toEqual([
        ['suspended'],
        ['approval'],
      ]);
      expect(kinds.filter((kind) => kind === 'tool_write')).toHaveLength(1);
    }
    expect(f.world.executed).toHaveLength(20);
  });
});

describe('a pause of everything', () => {
  const open = useRuntime();
  const set = (f: RuntimeFixture, isPaused: boolean) => f.runtime.setPause(OWNER, isPaused);

  it('lets no approved write land between the decision and the fence, until somebody resumes', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.intercept = async (kind) => {
      if (kind === 'stamp_fence') await set(f, true);
      return null;
    };
    expect(await f.segment()).toBe('requeued');
    f.intercept = () => null;
    expect(f.world.executed).toEqual([]);
    expect(await f.row(id)).toMatchObject({ status: 'queued', hold: 'paused', requeueCount: 0, decisionNumber: 1 });
    await expect(f.segment()).rejects.toThrow('No run is due');
    await set(f, false);
    expect((await f.row(id)).hold).toBe('');
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
    expect((await f.kinds(id)).filter((kind) => kind === 'approval')).toHaveLength(1);
  });

  it('lets a write that was fenced before it finish and be recorded', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = async () => void (await set(f, true));
    expect(await f.segment()).toBe('completed');
    expect(await f.kinds(id)).toContain('tool_write');
  });

  it('is still there after a restart, for every process, and people go on deciding', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await set(f, true);
    const other = new Runtime({ ...f.ports, newRunId: () => 'x' });
    expect(await other.pause()).toMatchObject({ isPaused: true, operatorId: 3, operatorName: expect.any(String) });
    expect(await f.approve(id)).toMatchObject({ ok: true, value: { status: 'queued' } });
    await expect(f.segment()).rejects.toThrow('No run is due');
    expect(await f.runtime.setPause(OUTSIDER, false)).toMatchObject({ refusal: { kind: 'not_administrator' } });
    expect(await f.runtime.setPause(ADMIN, false)).toMatchObject({
      ok: true,
      value: { isPaused: false, operatorId: 1 },
    });
    expect(await f.segment()).toBe('completed');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { startWorkerLoop, type WorkerLoop } from '../../src-main/workers/worker-loop.ts';
import { until } from '../support/fake-clock.ts';
import { call, createGate } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });

describe('the worker loop', () => {
  const open = useRuntime();
  const loops: WorkerLoop[] = [];
  let tokens = 0;

  // Registered after the files are opened, so it runs before they are closed.
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  });

  const work = (f: RuntimeFixture, workerId = 'w1'): WorkerLoop => {
    const newOwnerToken = (): string => `token-${(tokens += 1)}`;
    const loop = startWorkerLoop({
      ports: f.ports,
      workerId,
      pid: process.pid,
      transport: 'test',
      newOwnerToken,
      hasRoom: () => true,
    });
    loops.push(loop);
    return loop;
  };
  const counts = (f: RuntimeFixture) => f.store.countByStatus();
  const statusOf = async (f: RuntimeFixture, id: string) => (await f.row(id)).status;

  /** A model that answers once the gate is open. */
  const gated = () => {
    const gate = createGate();
    return { gate, model: () => gate.wait().then(() => ({ text: 'done' })) };
  };

  it('executes up to four runs at once and takes the next as soon as one ends', async () => {
    const { gate, model } = gated();
    const f = open(model);
    for (let index = 0; index < 6; index += 1) await f.start();
    work(f);
    await until(() => f.model.requests.length === 4);
    await f.clock.advance(5_000);
    expect(await counts(f)).toMatchObject({ running: 4, queued: 2 });
    gate.open();
    await until(async () => (await counts(f)).completed === 6);
  });

  it('works and stops although no heartbeat can be stored', async () => {
    const f = open([{ text: 'done' }]);
    const broken = (): Promise<never> => Promise.reject(new Error('disk'));
    f.ports.store = { ...f.ports.store, touchWorker: broken, forgetWorker: broken };
    const { id } = await f.start();
    const loop = work(f);
    await until(async () => (await statusOf(f, id)) === 'completed');
    await loop.stop();
    expect(f.reports.map(({ error }) => (error as { operation: string }).operation)).toEqual(['touch', 'forget']);
  });

  it('takes a run that runs alone only when it executes nothing, and nothing beside it', async () => {
    const gates = [createGate(), createGate(), createGate()];
    const f = open([]);
    const waits = ['first', 'alone', 'last'];
    f.ports.modelFor = async () => ({
      async *complete(request) {
        const prompt = request.messages.at(-1)?.content ?? '';
        f.model.requests.push(request);
        await gates[waits.indexOf(prompt)]?.wait();
        yield { type: 'finish', reason: 'stop', inputTokens: null, outputTokens: null, costMicros: null } as const;
      },
    });
    const first = await f.start({ prompt: 'first' });
    work(f);
    await until(() => f.model.requests.length === 1);
    const alone = await f.start({ prompt: 'alone' });
    f.database.prepare('update runs set runs_alone = 1 where id = ?').run(alone.id);
    await f.clock.advance(3_000);
    expect(await statusOf(f, alone.id)).toBe('queued');
    gates[0]?.open();
    await until(async () => (await statusOf(f, first.id)) === 'completed');
    await until(() => f.model.requests.length === 2);
    const last = await f.start({ prompt: 'last' });
    await f.clock.advance(3_000);
    expect([await statusOf(f, alone.id), await statusOf(f, last.id)]).toEqual(['running', 'queued']);
    gates[1]?.open();
    gates[2]?.open();
    await until(async () => (await counts(f)).completed === 3);
  });

  it('looks at once when it is woken', async () => {
    const f = open([{ text: 'done' }]);
    const loop = work(f);
    await until(() => f.clock.openPauses() === 1);
    const { id } = await f.start();
    loop.wake();
    await until(async () => (await statusOf(f, id)) === 'completed');
    expect(f.clock.monotonicMs()).toBe(0);
  });

  it('X-10 finds a run that became due without any wake-up within a second', async () => {
    const f = open([new ModelError('rateLimit', 'Later.'), { text: 'done' }, { text: 'done' }]);
    work(f);
    await until(() => f.clock.openPauses() === 1);
    const { id } = await f.start();
    await f.clock.advance(1_000);
    expect(await statusOf(f, id)).toBe('queued');
    await f.clock.advance(29_000);
    expect(await statusOf(f, id)).toBe('queued');
    await f.clock.advance(1_000);
    await until(async () => (await statusOf(f, id)) === 'completed');
  });

  it('R-21, R-22 and R-117 carries out what nobody told it of: the row is the message, new or taken back', async () => {
    const f = open([{ text: 'new' }, { text: 'taken back' }]);
    work(f);
    await until(() => f.clock.openPauses() === 1);
    const { id } = await f.start();
    await f.clock.advance(1_000);
    await until(async () => (await statusOf(f, id)) === 'completed');
    const lost = await f.start();
    const claim = { workerId: 'dead', ownerToken: 'dead', nowMs: f.clock.nowMs(), isIdle: true };
    expect(await f.store.claim(claim)).toMatchObject({ ok: true, value: { id: lost.id } });
    const input = { ownerToken: 'dead', cause: 'worker_died' } as const;
    await f.store.transition(lost.id, { kind: 'reclaim', input, nowMs: f.clock.nowMs() });
    expect(await statusOf(f, lost.id)).toBe('queued');
    await f.clock.advance(1_000);
    await until(async () => (await statusOf(f, lost.id)) === 'completed');
    expect(f.model.requests.map(({ runId }) => runId)).toEqual([id, lost.id]);
  });

  it('starts a run of the future when it is due and not before', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    f.database.prepare('update runs set next_attempt_at_ms = ? where id = ?').run(f.clock.nowMs() + 250, id);
    work(f);
    await f.clock.advance(249);
    expect(await statusOf(f, id)).toBe('queued');
    await f.clock.advance(1);
    await until(async () => (await statusOf(f, id)) === 'completed');
  });

  it.each([
    ['a configuration that is switched off', async (f: RuntimeFixture) => f.setActive(false)],
    ['a pause', (f: RuntimeFixture) => f.store.setPause({ actor: OWNER, isPaused: true }, f.clock.nowMs())],
  ])('D-26 never takes the write lock for a due run that %s keeps from it', async (_, keep) => {
    const f = open([]);
    await f.start();
    await keep(f);
    let claims = 0;
    const { claim } = f.ports.store;
    f.ports.store.claim = (input) => {
      claims += 1;
      return claim(input);
    };
    work(f);
    await f.clock.advance(10_000);
    expect(claims).toBe(0);
  });

  it('X-22 carries a run out that was queued before the wall clock was set back an hour', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    const laterMs = f.clock.nowMs() + 3_600_000;
    f.database
      .prepare('update runs set queued_at_ms = :later, next_attempt_at_ms = :later where id = :id')
      .run({ later: laterMs, id });
    work(f);
    await f.clock.advance(5_000);
    await until(async () => (await statusOf(f, id)) === 'completed');
    expect(await f.row(id)).toMatchObject({ rounds: 1, requeueCount: 0 });
  });

  it('claims nothing while the disk is nearly full, and goes on when there is room', async () => {
    let hasRoom = false;
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    const loop = startWorkerLoop({
      ports: f.ports,
      workerId: 'w9',
      pid: process.pid,
      transport: 'test',
      newOwnerToken: () => 'token',
      hasRoom: () => hasRoom,
    });
    try {
      await f.clock.advance(10_000);
      expect(await statusOf(f, id)).toBe('queued');
      hasRoom = true;
      await f.clock.advance(1_000);
      await until(async () => (await statusOf(f, id)) === 'completed');
    } finally {
      await loop.stop();
    }
  });

  it('R-26 gives each of many runs to exactly one of two workers; the other one never asks a model', async () => {
    const f = open(() => ({ text: 'done' }));
    for (let index = 0; index < 20; index += 1) await f.start();
    work(f, 'w1');
    work(f, 'w2');
    await until(async () => (await counts(f)).completed === 20);
    expect(f.model.requests).toHaveLength(20);
    const attempts = f.database.prepare("select count(*) from run_events where kind = 'attempt'").pluck().get();
    expect(attempts).toBe(20);
  });

  it('hands its runs back when it stops: uncounted, claimable at once, nothing lost', async () => {
    const { gate, model } = gated();
    const f = open(model);
    const ids = [(await f.start()).id, (await f.start()).id];
    const loop = work(f);
    await until(() => f.model.requests.length === 2);
    await loop.stop();
    for (const id of ids) {
      expect(await f.row(id)).toMatchObject({ status: 'queued', requeueCount: 0, nextAttemptAtMs: f.clock.nowMs() });
      expect((await f.events(id)).at(-1)).toMatchObject({
        kind: 'requeued',
        payload: { cause: 'worker_stopped', counted: false },
      });
    }
    gate.open();
    work(f, 'w2');
    await until(async () => (await counts(f)).completed === 2);
  });

  it('claims nothing more once it stops and asks no model for what it had just claimed', async () => {
    const f = open([]);
    const { id } = await f.start();
    const { claim } = f.ports.store;
    f.ports.store.claim = async (input) => {
      const claimed = await claim(input);
      void loop.stop();
      return claimed;
    };
    const loop = work(f);
    await loop.ended;
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'requeued']);
    expect(f.model.requests).toEqual([]);
    expect(f.reports).toEqual([]);
  });

  it('finishes a write in flight when it stops, records it, and starts no other', async () => {
    const gate = createGate();
    const f = open([{ calls: [setTitle, call('set_x', { key: 'body', value: 'n' }, 'second')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = () => gate.wait();
    const loop = work(f);
    await gate.reached;
    const stopping = loop.stop();
    await f.clock.advance(5_000);
    expect((await f.row(id)).fenceCallId).toBe('set_x');
    gate.open();
    await stopping;
    expect(Object.fromEntries(f.world.values)).toEqual({ title: 'new title', body: 'old body' });
    expect(await f.row(id)).toMatchObject({ status: 'queued', fenceEffect: '', decisionNumber: 1, requeueCount: 0 });
    expect((await f.kinds(id)).slice(-3)).toEqual(['tool', 'tool_write', 'requeued']);
    f.world.beforeEffect = () => undefined;
    work(f, 'w2');
    await until(async () => (await statusOf(f, id)) === 'completed');
    expect(f.world.executed.map(({ args }) => args.key)).toEqual(['title', 'body']);
  });

  it('shows that it lives, every half minute, and leaves no trace when it stops', async () => {
    const f = open([]);
    const loop = work(f);
    const health = () => f.store.health({ nowMs: f.clock.nowMs(), workerMaxAgeMs: 31_000, transport: 'test' });
    await until(() => f.clock.openPauses() === 1);
    expect((await health()).liveWorkers).toBe(1);
    await f.clock.advance(120_000);
    expect((await health()).liveWorkers).toBe(1);
    await loop.stop();
    expect((await health()).liveWorkers).toBe(0);
  });

  it('reports a claim that fails and goes on', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    const { claim } = f.ports.store;
    f.ports.store.claim = () => {
      f.ports.store.claim = claim;
      return Promise.reject(new Error('disk I/O error'));
    };
    work(f);
    await until(() => f.reports.length === 1);
    await f.clock.advance(1_000);
    await until(async () => (await statusOf(f, id)) === 'completed');
  });

  it('R-107 ends, and says so, when nothing of a run can be stored any more: its runs are for others', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    f.intercept = () => Promise.reject(new Error('disk I/O error'));
    const loop = work(f);
    await loop.ended;
    await f.start();
    loop.wake();
    await f.clock.advance(5_000);
    expect(await counts(f)).toMatchObject({ running: 1, queued: 1 });
    expect(await statusOf(f, id)).toBe('running');
    expect(f.reports.at(-1)?.where).toBe('worker w1');
  });

  it('is idle once nothing executes and nothing is queued', async () => {
    const { gate, model } = gated();
    const f = open(model);
    await f.start();
    const loop = work(f);
    await until(() => f.model.requests.length === 1);
    let isIdle = false;
    const idle = loop.idle().then(() => (isIdle = true));
    await f.clock.advance(1_000);
    expect(isIdle).toBe(false);
    gate.open();
    await f.clock.advance(1_000);
    await idle;
    expect(await f.runtime.recent(OWNER)).toHaveLength(1);
  });
});

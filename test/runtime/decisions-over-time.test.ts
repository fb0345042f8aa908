import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LEASE_MS } from '../../src-main/domain/limits.ts';
import { WorkerStopping } from '../../src-main/runtime/execute-segment.ts';
import { call, type Scripted } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OWNER } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const set = (key: string, value: string, id = `set_${key}`) => call('set_x', { key, value }, id);
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

describe('decisions over the life of a run', () => {
  const open = useRuntime();

  it('T-65 and T-51 decides the first turn, the tenth and the one after a denial alike; what was denied is not there', async () => {
    const turns: Scripted[] = Array.from({ length: 10 }, (_, index) => ({ calls: [set('title', `version ${index}`)] }));
    const f = open([...turns, { text: 'done' }]);
    const { id } = await f.start({ maxRounds: 20 });
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await f.segment()).toBe('awaiting_approval');
      if (turn === 3) expect(f.world.values.get('title')).toBe('version 1');
      const isDenied = turn === 2;
      expect(await (isDenied ? f.deny(id) : f.approve(id))).toMatchObject({ ok: true });
    }
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ args }) => args.value)).toEqual(
      [0, 1, 3, 4, 5, 6, 7, 8, 9].map((turn) => `version ${turn}`),
    );
    expect((await f.kinds(id)).filter((kind) => kind === 'approval')).toHaveLength(10);
  });

  it.each([1, 2, 3, 7, 20])(
    'T-50 and T-71 execute each of %i approved calls once, although the worker stops after every one of them',
    async (count) => {
      const calls = Array.from({ length: count }, (_, index) => set(`key-${index}`, 'new'));
      const f = open([{ calls }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      await f.approve(id);
      let segments = 0;
      for (let outcome = ''; outcome !== 'completed'; segments += 1) {
        const stopping = new AbortController();
        f.world.afterEffect = () => stopping.abort(new WorkerStopping());
        outcome = await f.segment(stopping.signal);
      }
      expect(segments).toBe(count + 1);
      expect(f.world.executed.map(({ args }) => args.key)).toEqual(calls.map((_, index) => `key-${index}`));
      const kinds = await f.kinds(id);
      expect(kinds.filter((kind) => kind === 'tool_write')).toHaveLength(count);
      expect(kinds.filter((kind) => kind === 'approval')).toHaveLength(1);
    },
  );

  it('T-23 executes nothing of a denied turn, although its worker died before the model heard of it', async () => {
    const f = open([{ calls: [set('title', 'evil')] }, { text: 'fine' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    expect(await f.dieAt((kind) => kind === 'record_step')).toMatchObject({ status: 'queued', decisionNumber: 1 });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toEqual([]);
    expect(f.world.values.get('title')).toBe('old title');
    expect((await f.kinds(id)).filter((kind) => kind === 'suspended' || kind === 'approval')).toEqual([
      'suspended',
      'approval',
    ]);
  });

  it('T-58 and T-09 never let a waiting run expire by itself: a year later the same card can be approved', async () => {
    const f = open([{ calls: [set('title', 'new title')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    await f.clock.advance(YEAR_MS);
    expect(await f.store.nextDueAtMs()).toBeNull();
    expect(await f.store.runningClaims()).toEqual([]);
    expect(await f.runtime.pendingDecision(OWNER, id)).toEqual(card);
    expect(await f.approve(id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
  });

  it('X-25, T-39 and T-60 go on with a run whose waiter went away', async () => {
    const f = open([{ text: 'done' }]);
    const leaving = new AbortController();
    const wanted = {
      configurationId: f.configuration.id,
      label: 'a run',
      prompt: 'Look',
      maxRounds: null,
      allowedToolNames: null,
    };
    const waiter = f.runtime.run(OWNER, wanted, leaving.signal);
    waiter.catch(() => undefined);
    await expect.poll(async () => (await f.store.countByStatus()).queued).toBe(1);
    leaving.abort(new Error('the window was closed'));
    await expect(waiter).rejects.toThrow('the window was closed');
    expect(await f.segment()).toBe('completed');
    expect((await f.store.countByStatus()).completed).toBe(1);
  });

  it('T-39 starts a run once, however often the same start is asked for, and for its own person only', async () => {
    const f = open([{ text: 'done' }]);
    const wanted = {
      runId: randomUUID(),
      configurationId: f.configuration.id,
      label: 'a run',
      prompt: 'Look',
      maxRounds: null,
      allowedToolNames: null,
    };
    const both = await Promise.all([f.runtime.enqueue(OWNER, wanted), f.runtime.enqueue(OWNER, wanted)]);
    expect(both.map((started) => started.ok && started.value.id)).toEqual([wanted.runId, wanted.runId]);
    expect(await f.segment()).toBe('completed');
    expect(await f.runtime.enqueue(OWNER, wanted)).toMatchObject({ ok: true, value: { status: 'completed' } });
    expect(await f.runtime.enqueue(COLLEAGUE, wanted)).toEqual({
      ok: false,
      refusal: { kind: 'invalid_request', problems: [{ field: 'runId', problem: 'name_taken' }] },
    });
    expect(f.database.prepare('select count(*) from runs').pluck().get()).toBe(1);
    expect((await f.kinds(wanted.runId)).filter((kind) => kind === 'queued')).toHaveLength(1);
  });

  it('H-060 resumes the run of a service account as nobody, never as the person who approved', async () => {
    const bot = { kind: 'service', name: 'nightly', scopes: ['agent:read'] } as const;
    const actor = { ...bot, scopes: [...bot.scopes] };
    const f = open([{ calls: [set('title', 'new title')] }, { text: 'done' }]);
    const { id } = await f.start({}, actor);
    await f.segment();
    expect(await f.approve(id, ADMIN)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed.map(({ ownerId }) => ownerId)).toEqual([0]);
    expect(await f.row(id)).toMatchObject({ actor, initiatorId: 0 });
  });

  it('H-101 holds a resumed run under a fresh token with a lease of 900 seconds', async () => {
    const f = open([{ calls: [set('title', 'new title')] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id, COLLEAGUE);
    let isSeen = false;
    f.world.beforeEffect = async () => {
      const row = await f.row(id);
      expect(row).toMatchObject({ status: 'running', segment: 'resume', attempt: 2 });
      expect(row.ownerToken).not.toBe('');
      expect(row.leaseExpiresAtMs).toBe(f.clock.nowMs() + LEASE_MS);
      expect(LEASE_MS).toBe(900_000);
      isSeen = true;
    };
    expect(await f.segment()).toBe('completed');
    expect(isSeen).toBe(true);
  });

  it('R-40 gives a write no signal that could stop it half-way, and a read one', async () => {
    const read = call('read_x', { key: 'title' });
    const f = open([{ calls: [read] }, { calls: [set('title', 'new title')] }, { text: 'done' }]);
    const { execute } = f.ports.tools;
    const signals: [tool: string, isStoppable: boolean][] = [];
    f.ports.tools.execute = (asked, context, expected, signal) => {
      signals.push([asked.name, signal !== undefined]);
      return execute(asked, context, expected, signal);
    };
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    expect(await f.segment()).toBe('completed');
    expect(signals).toEqual([
      ['read_x', true],
      ['set_x', false],
    ]);
  });
});

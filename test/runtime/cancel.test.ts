import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import type { TransitionKind } from '../../src-main/domain/transitions.ts';
import { call, createGate, type Scripted } from '../support/fake-model.ts';
import { OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { until } from '../support/fake-clock.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const readTitle = call('read_x', { key: 'title' }, 'first');
const readBody = call('read_x', { key: 'body' }, 'second');

/** Cancels right before the segment's next transition of a kind. */
function cancelBefore(f: RuntimeFixture, id: string, kind: TransitionKind): void {
  f.intercept = async (asked) => {
    if (asked !== kind) return null;
    f.intercept = () => null;
    expect(await f.runtime.cancel(OWNER, id)).toMatchObject({ ok: true });
    return null;
  };
}

const cancelled = { status: 'cancelled', endReason: 'cancelled', errorClass: '' };

describe('cancelling', () => {
  const open = useRuntime();

  it('R-15 and R-39 ends a run that has not ended, once; a second and a strange cancel change nothing', async () => {
    const f = open([]);
    const { id } = await f.start();
    expect(await f.runtime.cancel(OWNER, id)).toMatchObject({ ok: true });
    const row = await f.row(id);
    expect(row).toMatchObject(cancelled);
    expect(await f.runtime.cancel(OWNER, id)).toEqual({
      ok: false,
      refusal: { kind: 'already_ended', status: 'cancelled' },
    });
    expect(await f.runtime.cancel(OWNER, 'no-such-run')).toMatchObject({ refusal: { kind: 'unknown_run' } });
    expect(await f.row(id)).toEqual(row);
    expect(await f.store.nextDueAtMs()).toBeNull();
  });

  it('R-43 tells a stranger nothing and leaves the run alone', async () => {
    const f = open([]);
    const before = await f.start();
    expect(await f.runtime.cancel(OUTSIDER, before.id)).toEqual(await f.runtime.cancel(OUTSIDER, 'no-such-run'));
    expect(await f.row(before.id)).toEqual(before);
  });

  it('R-39 ends a waiting run and empties what only a living one needs', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.runtime.cancel(OWNER, id);
    expect(await f.row(id)).toMatchObject({ ...cancelled, rounds: 1, turnDigest: '', waitingSinceMs: 0 });
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
    expect(f.world.executed).toEqual([]);
  });

  it('R-40 before a model call: its request is stored, the model is not asked', async () => {
    const f = open([{ text: 'never' }]);
    const { id } = await f.start();
    const { events } = f.ports.store;
    // Between the claim, which stored the request, and the model.
    f.ports.store.events = async (...range) => {
      await f.runtime.cancel(OWNER, id);
      return events(...range);
    };
    expect(await f.segment()).toBe('cancelled');
    expect(f.model.requests).toEqual([]);
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'cancelled']);
  });

  it('R-40 during a model call: the answer and its usage are stored, its calls do not run', async () => {
    const gate = createGate();
    const turn: Scripted = () => gate.wait().then(() => ({ calls: [readTitle], inputTokens: 9, outputTokens: 4 }));
    const f = open([turn]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    await f.runtime.cancel(OWNER, id);
    gate.open();
    expect(await segment).toBe('cancelled');
    expect(await f.row(id)).toMatchObject({ ...cancelled, rounds: 1, inputTokens: 9, outputTokens: 4 });
    expect((await f.kinds(id)).slice(-2)).toEqual(['cancelled', 'llm']);
    expect(f.world.executed).toEqual([]);
  });

  it('R-40 during a model call that takes long: the call is given up at the next renewal of the lease', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'too late' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    await f.runtime.cancel(OWNER, id);
    await f.clock.advance(60_000);
    expect(await segment).toBe('cancelled');
    expect(await f.kinds(id)).not.toContain('llm');
  });

  it('R-40 between two calls: the first is stored, the second does not run', async () => {
    const boom = call('boom_x', {}, 'alone');
    const f = open([{ calls: [readTitle, boom, readBody] }]);
    const { id } = await f.start();
    f.configure({ disabledTools: ['boom_x'] });
    f.world.afterEffect = async () => void (await f.runtime.cancel(OWNER, id));
    expect(await f.segment()).toBe('cancelled');
    expect(f.world.executed).toHaveLength(1);
    expect((await f.kinds(id)).slice(-2)).toEqual(['cancelled', 'tool']);
  });

  it('R-40 during a write: result and write are still recorded and the entry in doubt is taken off the list', async () => {
    const f = open([{ calls: [setTitle, call('set_x', { key: 'body', value: 'n' }, 'other')] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = async () => {
      await f.runtime.cancel(OWNER, id);
      expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x', cause: 'interrupted' }]);
    };
    expect(await f.segment()).toBe('cancelled');
    expect(f.world.values.get('title')).toBe('new title');
    expect(f.world.values.get('body')).toBe('old body');
    expect((await f.kinds(id)).slice(-3)).toEqual(['cancelled', 'tool', 'tool_write']);
    expect(await f.store.uncertainWrites()).toEqual([]);
    expect(await f.row(id)).toMatchObject(cancelled);
  });

  it('R-40 during a write that then fails: the failure settles the doubt as well', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = async () => void (await f.runtime.cancel(OWNER, id));
    f.world.resultOf = () => ({ outcome: 'failed', content: 'no such field', write: null });
    expect(await f.segment()).toBe('cancelled');
    expect((await f.kinds(id)).slice(-2)).toEqual(['cancelled', 'tool']);
    expect(await f.store.uncertainWrites()).toEqual([]);
  });

  it('R-40 during a write that nobody can tell the outcome of: the entry in doubt stands', async () => {
    const f = open([{ calls: [call('make_x', { name: 'page' })] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = async () => void (await f.runtime.cancel(OWNER, id));
    f.world.resultOf = () => ({ outcome: 'cancelled', content: '', write: null, isUncertain: true });
    expect(await f.segment()).toBe('cancelled');
    expect(await f.store.uncertainWrites()).toMatchObject([{ callId: 'make_x', effect: 'non_idempotent_write' }]);
  });

  it('R-40 and R-93 before the fence: the write does not happen', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    cancelBefore(f, id, 'stamp_fence');
    expect(await f.segment()).toBe('cancelled');
    expect(f.world.executed).toEqual([]);
    expect(await f.store.uncertainWrites()).toEqual([]);
  });

  it('X-6 after the last step, before the end: cancelled, and the answer is not the result', async () => {
    const f = open([{ text: 'the answer' }]);
    const { id } = await f.start();
    cancelBefore(f, id, 'complete');
    expect(await f.segment()).toBe('cancelled');
    expect(await f.row(id)).toMatchObject({ ...cancelled, rounds: 1 });
    expect(await f.runtime.result(OWNER, id)).toBeNull();
  });

  it('R-44, X-6 and H-037 before the pause: cancelled, no card, nothing of the turn stored', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    cancelBefore(f, id, 'suspend');
    expect(await f.segment()).toBe('cancelled');
    expect(await f.row(id)).toMatchObject({ ...cancelled, turnDigest: '', pendingTool: '' });
    expect(await f.runtime.pendingDecision(OWNER, id)).toBeNull();
    expect(await f.kinds(id)).not.toContain('suspended');
  });

  it('X-6 before a failure is settled: cancelled, not failed', async () => {
    const f = open([new Error('a bug')]);
    const { id } = await f.start();
    cancelBefore(f, id, 'fail');
    expect(await f.segment()).toBe('cancelled');
    expect(await f.row(id)).toMatchObject(cancelled);
  });

  it('X-6 before a bounce: cancelled, no second card', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.values.set('title', 'edited by a person');
    cancelBefore(f, id, 'bounce');
    expect(await f.segment()).toBe('cancelled');
    expect(await f.kinds(id)).not.toContain('approval_bounced');
  });

  it('R-41 a run that nobody cancels is not disturbed by being watched', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    await f.clock.advance(20 * 60_000);
    gate.open();
    expect(await segment).toBe('completed');
    await until(() => f.clock.openPauses() === 0, 'the end of the lease renewal');
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'llm', 'finished']);
  });
});

describe('cancelling only while a person is waited for', () => {
  const open = useRuntime();
  const ADMIN = { kind: 'operator', operatorId: 1 } as const;
  const SERVICE: Actor = { kind: 'service', name: 'robot', scopes: ['agent:cancel', 'agent:approve', 'agent:read'] };

  /** A run that waits with a write. */
  async function waiting(f: RuntimeFixture): Promise<string> {
    const { id } = await f.start();
    await f.segment();
    return id;
  }

  it.each([
    ['its initiator', OWNER],
    ['an administrator', ADMIN],
  ])('R-47 is done for %s, and nothing of the turn is executed', async (_name, actor) => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    expect(await f.runtime.cancelIfWaiting(actor, id)).toEqual({ cancelled: true, status: 'cancelled' });
    expect(await f.row(id)).toMatchObject(cancelled);
    expect(f.world.executed).toEqual([]);
  });

  it('R-48 leaves a run alone that a decision released; it keeps executing', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    await f.approve(id);
    expect(await f.runtime.cancelIfWaiting(OWNER, id)).toEqual({ cancelled: false, status: 'queued' });
    const gate = createGate();
    f.world.afterEffect = () => gate.wait();
    const segment = f.segment();
    await gate.reached;
    expect(await f.runtime.cancelIfWaiting(OWNER, id)).toEqual({ cancelled: false, status: 'running' });
    gate.open();
    expect(await segment).toBe('completed');
  });

  it('R-49 says how a run that ended did, and that one handed back meanwhile still waits', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const id = await waiting(f);
    const { store } = f;
    const busy = new Runtime({
      store: { ...store, transition: async () => ({ ok: false, refusal: { kind: 'store_busy', waitedMs: 5_000 } }) },
      catalogue: f.ports.catalogue,
      clock: f.clock,
      newRunId: () => 'x',
      report: f.ports.report,
      crashPoint: f.ports.crashPoint,
    });
    expect(await busy.cancelIfWaiting(OWNER, id)).toEqual({ cancelled: false, status: 'waiting_for_approval' });
    await f.deny(id);
    await f.segment();
    expect(await f.runtime.cancelIfWaiting(OWNER, id)).toEqual({ cancelled: false, status: 'completed' });
  });

  it.each([
    ['a service account, whatever its scopes', SERVICE],
    ['a stranger', OUTSIDER],
    ['nobody', { kind: 'anonymous' } as const],
  ])('R-50 tells %s what it tells about a run that does not exist', async (_name, actor) => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    const before = await f.row(id);
    expect(await f.runtime.cancelIfWaiting(actor, id)).toEqual({ cancelled: false, status: null });
    expect(await f.runtime.cancelIfWaiting(actor, 'no-such-run')).toEqual({ cancelled: false, status: null });
    expect(await f.row(id)).toEqual(before);
  });
});

describe('a cancellation while a call is in flight', () => {
  const open = useRuntime();

  it('R-51 aborts the call of the model within a second; nothing more is stored', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'never used' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    await f.runtime.cancel(OWNER, id);
    const events = await f.events(id);
    await f.clock.advance(1_000);
    expect(await segment).toBe('cancelled');
    expect(await f.events(id)).toEqual(events);
  });

  it('R-51 reads the row once a second and no more, and takes a failed read for no', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    await f.start();
    const segment = f.segment();
    await gate.reached;
    let reads = 0;
    f.ports.store.run = async () => {
      reads += 1;
      throw new Error('The disk does not answer.');
    };
    await f.clock.advance(10_000);
    expect(reads).toBe(10);
    gate.open();
    expect(await segment).toBe('completed');
  });
});

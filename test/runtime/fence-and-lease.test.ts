import { describe, expect, it } from 'vitest';
import { LEASE_MS } from '../../src-main/domain/limits.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionKind } from '../../src-main/domain/transitions.ts';
import { refused } from '../../src-shared/refusals.ts';
import { until } from '../support/fake-clock.ts';
import { call, createGate } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const readTitle = call('read_x', { key: 'title' });

/** The transitions a segment asks for, in order. */
function listen(f: RuntimeFixture): TransitionKind[] {
  const kinds: TransitionKind[] = [];
  f.intercept = (kind) => {
    kinds.push(kind);
    return null;
  };
  return kinds;
}

async function reclaim(f: RuntimeFixture, id: string): Promise<void> {
  const { ownerToken } = await f.row(id);
  const result = await f.store.transition(id, {
    kind: 'reclaim',
    input: { ownerToken, cause: 'worker_died' },
    nowMs: f.clock.nowMs(),
  });
  expect(result.ok).toBe(true);
}

describe('the write fence', () => {
  const open = useRuntime();

  it.each(['queued', 'interactive'] as const)(
    'R-83, R-84, R-85 and H-162 stand before the effect of a %s run and are gone with its step',
    async (mode) => {
      const f = open([{ calls: [setTitle] }, { text: 'done' }]);
      const { id } = await f.start();
      f.database.prepare('update runs set mode = ? where id = ?').run(mode, id);
      await f.segment();
      await f.approve(id);
      const seen: RunRecord[] = [];
      f.world.beforeEffect = async () => void seen.push(await f.row(id));
      f.intercept = async (kind) => {
        if (kind === 'record_step') seen.push(await f.row(id));
        return null;
      };
      expect(await f.segment()).toBe('completed');
      expect(seen[0]).toMatchObject({ fenceEffect: 'idempotent_write', fenceCallId: 'set_x', phase: 'tools' });
      // Until the moment its result is stored the fence stands; the step of the next request finds it gone.
      expect(seen[1]).toMatchObject({ fenceEffect: 'idempotent_write' });
      expect(seen[2]).toMatchObject({ fenceEffect: '', fenceCallId: '' });
      expect(seen[0]).toMatchObject({ mode, segment: 'resume' });
      expect(seen[0]?.ownerToken).not.toBe('');
      expect(new Set(seen.map(({ ownerToken }) => ownerToken)).size).toBe(1);
    },
  );

  it('D-02 ends the fence in the same transaction as the events of the write', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    const stop = f.store.onCommitted(() => {
      const row = f.database.prepare('select fence_call_id from runs where id = ?').pluck().get(id);
      const steps = f.database.prepare("select count(*) from run_events where kind like 'tool%'").pluck().get();
      if (row !== '') expect(steps).toBe(0);
      else if (f.world.values.get('title') === 'new title') expect(steps).toBe(2);
    });
    await f.segment();
    stop();
  });

  it('R-86 is not stamped for a read', async () => {
    const f = open([{ calls: [readTitle] }, { text: 'done' }]);
    await f.start();
    const kinds = listen(f);
    await f.segment();
    expect(kinds).toEqual(['record_step', 'record_step', 'record_step', 'complete']);
  });

  it('R-86 is not stamped for a refused or denied write', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.deny(id);
    const kinds = listen(f);
    await f.segment();
    expect(kinds).not.toContain('stamp_fence');
  });

  it('R-93 does not execute a write when the fence is refused, and settles nothing', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.intercept = async (kind) => {
      if (kind === 'stamp_fence') await reclaim(f, id);
      return null;
    };
    expect(await f.segment()).toBe('lease_lost');
    expect(f.world.executed).toEqual([]);
    expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1 });
  });
});

describe('the lease', () => {
  const open = useRuntime();

  it.each([
    ['R-78', 'queued'],
    ['R-79', 'interactive'],
  ])('%s is renewed by each step of a run that is %s, under the claim, into the future', async (_, mode) => {
    const f = open([{ calls: [readTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    f.database.prepare('update runs set mode = ? where id = ?').run(mode, id);
    const leases: number[] = [];
    f.world.afterEffect = async () => {
      await f.clock.advance(1_000);
      leases.push((await f.row(id)).leaseExpiresAtMs);
    };
    const stop = f.store.onCommitted(() => {
      const row = f.database.prepare("select lease_expires_at_ms from runs where status = 'running'").pluck().get();
      if (row) leases.push(row as number);
    });
    await f.segment();
    stop();
    const nowMs = f.clock.nowMs();
    expect(leases.slice(0, 3)).toEqual(leases.slice(0, 3).map(() => nowMs - 1_000 + LEASE_MS));
    expect(leases.at(-1)).toBe(nowMs + LEASE_MS);
  });

  it('X-9 and D-08 is renewed every minute while a call is in flight, without an event or a change to read', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    const changes = f.database.prepare('select count(*) from changes').pluck().get();
    for (let minute = 1; minute <= 20; minute += 1) {
      await f.clock.advance(60_000);
      expect((await f.row(id)).leaseExpiresAtMs).toBe(f.clock.nowMs() + LEASE_MS);
    }
    expect(f.database.prepare('select count(*) from changes').pluck().get()).toBe(changes);
    gate.open();
    expect(await segment).toBe('completed');
    expect(f.clock.openPauses()).toBe(0);
  });

  it('X-22 is kept by a segment that slept through its end: nobody proved it dead', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    f.database.prepare('update runs set lease_expires_at_ms = 1 where id = ?').run(id);
    gate.open();
    expect(await segment).toBe('completed');
  });

  it('R-91 lets a segment that lost its run store no step and end nothing', async () => {
    const f = open([{ calls: [readTitle] }, { text: 'from the second segment' }]);
    const { id } = await f.start();
    const gate = createGate();
    f.world.afterEffect = () => gate.wait();
    const first = f.segment();
    await gate.reached;
    await reclaim(f, id);
    f.world.afterEffect = () => undefined;
    await f.store.transition(id, { kind: 'retry', input: { actor: OWNER }, nowMs: f.clock.nowMs() });
    const second = f.segment();
    expect(await second).toBe('completed');
    const events = await f.events(id);
    gate.open();
    expect(await first).toBe('lease_lost');
    expect(await f.events(id)).toEqual(events);
    expect((await f.runtime.result(OWNER, id))?.answer).toBe('from the second segment');
  });

  it('X-7 and R-91 lets a segment neither suspend nor end nor fail a run that another one carries out right now', async () => {
    const gate = createGate();
    const f = open([{ calls: [setTitle] }, () => gate.wait().then(() => ({ text: 'from its owner' }))]);
    const { id } = await f.start();
    let second: Promise<unknown> = Promise.resolve();
    let zombie: RunRecord | undefined;
    f.intercept = async (kind) => {
      if (kind !== 'suspend') return null;
      f.intercept = () => null;
      zombie = await f.row(id);
      await reclaim(f, id);
      // The answer of the lost segment is a checkpoint; without it the new owner asks the model itself.
      f.database.exec('delete from transcript_chunks');
      await f.clock.advance(30_000);
      second = f.segment();
      await gate.reached;
      return null;
    };
    expect(await f.segment()).toBe('lease_lost');
    const owned = await f.row(id);
    expect(owned).toMatchObject({ status: 'running', attempt: 2, turnDigest: '', pendingTool: '' });
    expect(await f.store.pendingTurn(id)).toBeNull();
    const claim = { ownerToken: zombie?.ownerToken ?? '', attempt: 1 };
    const late = [
      { kind: 'complete', input: { ...claim, reason: 'completed', answer: 'stolen' } },
      {
        kind: 'fail',
        input: {
          ...claim,
          failureClass: 'unknown',
          reason: 'internal_error',
          errorClass: 'E',
          sentence: 's',
          uncertainWrite: null,
        },
      },
      { kind: 'renew_lease', input: claim },
    ] as const;
    for (const request of late) {
      const refusal = await f.store.transition(id, { ...request, nowMs: f.clock.nowMs() });
      expect(refusal).toEqual({ ok: false, refusal: { kind: 'lease_lost' } });
    }
    expect(await f.row(id)).toEqual(owned);
    gate.open();
    expect(await second).toBe('completed');
    expect((await f.runtime.result(OWNER, id))?.answer).toBe('from its owner');
  });

  it('gives up a call in flight once the run is somebody else’s', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'never used' }))]);
    const { id } = await f.start();
    const segment = f.segment();
    await gate.reached;
    await reclaim(f, id);
    await f.clock.advance(60_000);
    expect(await segment).toBe('lease_lost');
    expect((await f.row(id)).status).toBe('queued');
  });

  it('X-3 and D-02 keeps a write that happened just before its run was lost, with its target', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => reclaim(f, id);
    expect(await f.segment()).toBe('lease_lost');
    expect(await f.store.uncertainWrites()).toMatchObject([
      { runId: id, callId: 'set_x', toolName: 'set_x', cause: 'orphaned', target: { key: { name: 'title' } } },
    ]);
    expect(await f.kinds(id)).not.toContain('tool_write');
  });

  it('X-3 takes the write off the list again when the next attempt finds it at its target', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => reclaim(f, id);
    await f.segment();
    f.world.afterEffect = () => undefined;
    await f.clock.advance(30_000);
    expect(await f.segment()).toBe('completed');
    expect(f.world.executed).toHaveLength(1);
    expect(await f.store.uncertainWrites()).toEqual([]);
    expect((await f.events(id)).filter(({ kind }) => kind === 'uncertain_write')).toMatchObject([
      { payload: { toolCallId: 'set_x', cause: 'orphaned' } },
    ]);
  });

  it('X-20 and D-24 tells two segments of one process apart by a token of their own', async () => {
    const gates = [createGate(), createGate()];
    const asked = gates.map((gate) => () => gate.wait().then(() => ({ text: 'done' })));
    const f = open(asked);
    const [one, two] = [await f.start(), await f.start()];
    const segments = [f.segment(), f.segment()];
    await Promise.all(gates.map((gate) => gate.reached));
    const tokens = [(await f.row(one.id)).ownerToken, (await f.row(two.id)).ownerToken];
    expect(new Set(tokens).size).toBe(2);
    const strange = await f.store.transition(one.id, {
      kind: 'complete',
      input: { ownerToken: tokens[1] ?? '', attempt: 1, reason: 'completed', answer: 'stolen' },
      nowMs: f.clock.nowMs(),
    });
    expect(strange).toMatchObject({ ok: false, refusal: { kind: 'lease_lost' } });
    for (const gate of gates) gate.open();
    expect(await Promise.all(segments)).toEqual(['completed', 'completed']);
  });
});

describe('a locked database', () => {
  const open = useRuntime();
  const busy = refused({ kind: 'store_busy', waitedMs: 5_000 });

  it('is waited for: the step is stored afterwards and nothing is done twice', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    let locked = 3;
    f.intercept = async (kind) => {
      if (kind !== 'record_step' || f.world.executed.length === 0 || locked === 0) return null;
      locked -= 1;
      return busy;
    };
    expect(await f.segment()).toBe('completed');
    expect(locked).toBe(0);
    expect(f.world.executed).toHaveLength(1);
    expect((await f.events(id)).filter((event) => event.kind === 'tool_write')).toHaveLength(1);
    expect(f.reports).toHaveLength(3);
  });

  it('is waited for longer than the lease: a row must not stay running under a worker that gave up on it', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    let isLocked = false;
    f.intercept = async (kind) => {
      isLocked ||= kind === 'complete';
      if (!isLocked) return null;
      await f.clock.pause(5_000);
      return isLocked ? busy : null;
    };
    const segment = f.segment();
    await until(() => isLocked);
    await f.clock.advance(LEASE_MS + 10_000);
    expect((await f.row(id)).leaseExpiresAtMs).toBeLessThan(f.clock.nowMs());
    isLocked = false;
    f.intercept = () => null;
    await f.clock.advance(5_000);
    expect(await segment).toBe('completed');
    expect((await f.row(id)).status).toBe('completed');
  });

  it('delays the record of a write whose run was lost and does not swallow it', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.afterEffect = () => reclaim(f, id);
    let locked = 2;
    f.intercept = async (kind) => (kind === 'record_orphan_write' && locked-- > 0 ? busy : null);
    expect(await f.segment()).toBe('lease_lost');
    expect(await f.store.uncertainWrites()).toMatchObject([{ cause: 'orphaned' }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src-main/domain/digest.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import type { Committed } from '../../src-main/store/run-store.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { aTurn } from '../support/run-builders.ts';
import { livesOf, runOf } from '../support/store-life.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
/** Whatever a test did, the record holds together afterwards. */
afterEach(() => {
  const { problems } = verifyChain(fixture.statements, fixture.sealer);
  fixture.dispose();
  expect(problems).toEqual([]);
});

const claim = (nowMs: number, isIdle = true) =>
  fixture.store.claim({ workerId: 'worker-1', ownerToken: `token-${Math.trunc(nowMs)}-${isIdle}`, nowMs, isIdle });

describe('a claim', () => {
  it('R-27 gives a queued run to exactly one of many claimers and empties the queue', async () => {
    const { id } = await lives.enqueue();
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fixture.store.claim({ workerId: `w${index}`, ownerToken: `token-${index}`, nowMs: 2_000, isIdle: true }),
      ),
    );
    const won = claims.flatMap((result) => (result.ok && result.value ? [result.value] : []));
    expect(won).toHaveLength(1);
    expect(won[0]).toMatchObject({ id, status: 'running', attempt: 1, startedAtMs: 2_000 });
    expect(await fixture.store.run(id)).toEqual(won[0]);
  });

  it('takes the run that is due longest, and none that is not due', async () => {
    const late = await lives.enqueue({}, 3_000);
    const early = await lives.enqueue({}, 1_000);
    expect(await claim(500)).toEqual({ ok: true, value: null });
    expect(runOf(await claim(5_000)).id).toBe(early.id);
    expect(await fixture.store.nextDueAtMs()).toBe(3_000);
    expect(runOf(await claim(5_001)).id).toBe(late.id);
    expect(await fixture.store.nextDueAtMs()).toBeNull();
  });

  it('leaves an approved run alone while it can be taken back', async () => {
    const run = await lives.waiting();
    await lives.go(run.id, 'decide_approval', lives.decision(run, { withdrawWindowMs: 3_000 }));
    expect(await fixture.store.nextDueAtMs()).toBe(13_000);
    expect(await claim(12_999)).toEqual({ ok: true, value: null });
    expect(runOf(await claim(13_000)).id).toBe(run.id);
  });

  it('D-26 leaves the run of an inactive configuration queued until it is active again', async () => {
    await lives.enqueue();
    const set = (isActive: boolean) =>
      saveConfiguration(fixture.statements, fixture.sealer, { ...fixture.configuration, isActive }, undefined, 1);
    set(false);
    expect(await claim(5_000)).toEqual({ ok: true, value: null });
    set(true);
    expect(runOf(await claim(5_000)).status).toBe('running');
  });

  it('R-30 takes a run whose configuration is gone, so that it can end', async () => {
    await lives.enqueue();
    fixture.database.exec('delete from configurations');
    expect(runOf(await claim(5_000)).status).toBe('running');
  });

  it('gives a run that took a worker down to an idle worker only', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    await lives.go(id, 'record_step', lives.step(run, { phase: 'tools' }));
    await lives.go(id, 'reclaim', { ownerToken: run.ownerToken, cause: 'worker_died' });
    expect(await claim(60_000, false)).toEqual({ ok: true, value: null });
    expect(runOf(await claim(60_000, true))).toMatchObject({ id, attempt: 2, runsAlone: true });
  });

  it('R-34 leaves the time of queueing alone; only what queues a run again sets it, and no refusal does', async () => {
    const { id } = await lives.enqueue({}, 1_000);
    const queuedAt = async () => (await fixture.store.run(id))?.queuedAtMs;
    const failure = {
      failureClass: 'serverError',
      reason: 'provider_failed',
      errorClass: 'E',
      sentence: 's',
      uncertainWrite: null,
    } as const;
    expect(await queuedAt()).toBe(1_000);
    const first = await lives.claim(2_000);
    expect(await queuedAt()).toBe(1_000);
    const stranger = { ...lives.held(first), ownerToken: 'wrong' };
    expect(await lives.go(id, 'fail', { ...stranger, ...failure }, 3_000)).toMatchObject({ ok: false });
    expect(await queuedAt()).toBe(1_000);
    await lives.go(id, 'fail', { ...lives.held(first), ...failure }, 4_000);
    expect(await queuedAt()).toBe(4_000);
    const second = await lives.claim(50_000);
    const taken = { ownerToken: second.ownerToken, cause: 'lease_over' } as const;
    expect(await lives.go(id, 'reclaim', taken, 60_000)).toMatchObject({ ok: false });
    expect(await queuedAt()).toBe(4_000);
    expect(await lives.go(id, 'reclaim', taken, 2_000_000)).toMatchObject({ ok: true });
    expect(await queuedAt()).toBe(2_000_000);
  });

  it('X-22 takes a run at once whose times the wall clock left behind when it was set back an hour', async () => {
    const hourMs = 3_600_000;
    const { id } = await lives.enqueue({}, hourMs);
    expect(await claim(5_000)).toEqual({ ok: true, value: null });
    expect(await fixture.store.mendDueTimes(5_000)).toEqual({ ok: true, value: 1 });
    expect(runOf(await claim(5_000))).toMatchObject({ id, queuedAtMs: 5_000 });
    expect(await fixture.store.mendDueTimes(5_000)).toEqual({ ok: true, value: 0 });
  });

  it('X-22 leaves a backoff alone while the clock is only set by seconds', async () => {
    const { id } = await lives.enqueue({}, 60_000);
    fixture.database.prepare('update runs set next_attempt_at_ms = 90000 where id = ?').run(id);
    expect(await fixture.store.mendDueTimes(30_000)).toEqual({ ok: true, value: 0 });
    expect(await claim(89_999)).toEqual({ ok: true, value: null });
  });

  it('takes nothing while everything is paused, and goes on after it', async () => {
    const { id } = await lives.enqueue();
    await fixture.store.setPause({ actor: OPERATOR, isPaused: true }, 4_000);
    expect(await claim(5_000)).toEqual({ ok: true, value: null });
    expect(await fixture.store.nextDueAtMs()).toBeNull();
    await fixture.store.setPause({ actor: OPERATOR, isPaused: false }, 6_000);
    expect(runOf(await claim(7_000)).id).toBe(id);
  });
});

describe('the events of a run', () => {
  it('R-36 are paged by sequence; an unknown run has none', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    await lives.go(id, 'record_step', lives.step(run));
    const sequences = async (after: number) => (await fixture.store.events(id, after)).map((event) => event.sequence);
    expect(await sequences(-1)).toEqual([0, 1, 2]);
    expect(await sequences(0)).toEqual([1, 2]);
    expect(await sequences(2)).toEqual([]);
    expect(await fixture.store.events('nobody', -1)).toEqual([]);
  });

  it('R-33 continue in one stream over attempts, which they name', async () => {
    const { id } = await lives.enqueue();
    const first = await lives.claim();
    await lives.go(id, 'fail', {
      ...lives.held(first),
      failureClass: 'serverError',
      reason: 'provider_failed',
      errorClass: 'E',
      sentence: 's',
      uncertainWrite: null,
    });
    const second = await lives.claim(100_000);
    await lives.go(id, 'record_step', lives.step(second));
    const events = await fixture.store.events(id, -1);
    expect(events.map(({ sequence, kind, attempt }) => [sequence, kind, attempt])).toEqual([
      [0, 'queued', 0],
      [1, 'attempt', 1],
      [2, 'requeued', 1],
      [3, 'attempt', 2],
      [4, 'llm', 2],
    ]);
  });

  it('are stored as canonical text, with durations of two decimals', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const payload = { zulu: 1, alpha: { b: [true, null], a: 'é€' } };
    await lives.go(
      id,
      'record_step',
      lives.step(run, { events: [{ kind: 'llm', round: 1, durationMs: 12.3456, payload }] }),
    );
    const rows = fixture.database.prepare('select payload from run_events').pluck().all() as string[];
    for (const text of rows) expect(text).toBe(canonicalJson(JSON.parse(text)));
    expect((await fixture.store.events(id, 1))[0]).toMatchObject({ durationMs: 12.35, payload });
  });
});

describe('what is told after a commit', () => {
  it('is which run moved and whether a worker should look; refusals are silent', async () => {
    const told: Committed[] = [];
    const stop = fixture.store.onCommitted((committed) => told.push(committed));
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    await lives.go(id, 'complete', { ...lives.held(run), ownerToken: 'wrong', reason: 'completed', answer: '' });
    await lives.go(id, 'complete', { ...lives.held(run), reason: 'completed', answer: '' });
    await fixture.store.claim({ workerId: 'w', ownerToken: 't', nowMs: 50_000, isIdle: true });
    stop();
    await lives.enqueue();
    expect(told).toEqual([
      { runIds: [id], wakes: true },
      { runIds: [id], wakes: false },
      { runIds: [id], wakes: false },
    ]);
  });

  it('T-16 shows in the data version of other connections, not of its own', async () => {
    const other = createSqliteRunStore(openConnection(fixture.path), fixture.sealer, systemClock);
    const before = { own: fixture.store.dataVersion(), other: other.dataVersion() };
    await lives.enqueue();
    expect(fixture.store.dataVersion()).toBe(before.own);
    expect(other.dataVersion()).not.toBe(before.other);
    other.close();
  });

  it('of a renewal is no row in the log of changes', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const changes = () => fixture.database.prepare('select count(*) from changes').pluck().get();
    const before = changes();
    const renewed = runOf(await lives.go(id, 'renew_lease', lives.held(run), 50_000));
    expect(renewed).toEqual({ ...run, leaseExpiresAtMs: 950_000 });
    expect(await fixture.store.run(id)).toEqual(renewed);
    expect(changes()).toBe(before);
  });
});

describe('the lists and figures', () => {
  it('hold each run where its status puts it, oldest waiting and newest ended first', async () => {
    const first = await lives.waiting();
    await lives.enqueue();
    const second = await lives.suspend(await lives.claim(), aTurn(), 4_000);
    const ended: string[] = [];
    for (const nowMs of [5_000, 6_000]) {
      const { id } = await lives.enqueue();
      await lives.go(id, 'cancel', { actor: OPERATOR }, nowMs);
      ended.unshift(id);
    }
    await lives.enqueue();
    const running = await lives.claim();
    const queued = await lives.enqueue();
    const ids = (runs: { id: string }[]) => runs.map((run) => run.id);
    expect(ids(await fixture.store.waitingRuns())).toEqual([first.id, second.id]);
    expect(ids(await fixture.store.endedRuns())).toEqual(ended);
    expect(ids(await fixture.store.activeRuns())).toEqual([running.id, queued.id]);
    expect(await fixture.store.runningClaims()).toEqual([
      {
        runId: running.id,
        workerId: 'worker-1',
        ownerToken: running.ownerToken,
        leaseExpiresAtMs: running.leaseExpiresAtMs,
      },
    ]);
    expect(await fixture.store.countByStatus()).toEqual({
      queued: 1,
      running: 1,
      waiting_for_approval: 2,
      waiting_for_input: 0,
      completed: 0,
      failed: 0,
      cancelled: 2,
    });
  });

  it('R-210 count queue, leases, dead letters and workers', async () => {
    for (const queuedAtMs of [900_000, 950_000, 0, 2_000_000]) {
      const { id } = await lives.enqueue({}, 1_000);
      fixture.database
        .prepare('update runs set queued_at_ms = ?, next_attempt_at_ms = 9e6 where id = ?')
        .run(queuedAtMs, id);
    }
    for (const leaseExpiresAtMs of [999_999, 1_000_000, 1_500_000]) {
      const { id } = await lives.enqueue({}, 1_000);
      await lives.claim();
      fixture.database.prepare('update runs set lease_expires_at_ms = ? where id = ?').run(leaseExpiresAtMs, id);
    }
    for (const reason of ['internal_error', 'provider_failed'] as const) {
      const { id } = await lives.enqueue({}, 1_000);
      const run = await lives.claim();
      await lives.go(id, 'fail', {
        ...lives.held(run),
        failureClass: 'unknown',
        reason,
        errorClass: 'E',
        sentence: 's',
        uncertainWrite: null,
      });
    }
    const spent = await lives.enqueue({}, 1_000);
    fixture.database.prepare('update runs set requeue_count = 3 where id = ?').run(spent.id);
    await lives.go(spent.id, 'fail', {
      ...lives.held(await lives.claim()),
      failureClass: 'rateLimit',
      reason: 'provider_failed',
      errorClass: 'E',
      sentence: 's',
      uncertainWrite: null,
    });
    const touch = (id: string, nowMs: number, transport = 'here') =>
      fixture.store.touchWorker({ id, pid: 1, transport, nowMs });
    await touch('a', 900_000);
    await touch('a', 990_000);
    await touch('b', 880_000);
    await touch('c', 879_999);
    await touch('d', 990_000, 'elsewhere');
    await touch('e', 1_000_001);
    await touch('gone', 999_000);
    await fixture.store.forgetWorker('gone');
    expect(await fixture.store.health({ nowMs: 1_000_000, workerMaxAgeMs: 120_000, transport: 'here' })).toEqual({
      queued: 4,
      running: 3,
      deadLettered: 2,
      expiredLeases: 1,
      oldestQueueWaitSeconds: 100,
      unknownQueueWait: 2,
      liveWorkers: 2,
    });
  });

  it('R-210 forget a worker that was not seen for a day', async () => {
    const touch = (id: string, nowMs: number) => fixture.store.touchWorker({ id, pid: 1, transport: 'here', nowMs });
    await touch('killed', 1_000);
    await touch('stays', 1_001);
    await touch('new', 86_401_000);
    expect(fixture.database.prepare('select id from workers order by id').pluck().all()).toEqual([
      'killed',
      'new',
      'stays',
    ]);
    await touch('new', 86_401_001);
    expect(fixture.database.prepare('select id from workers order by id').pluck().all()).toEqual(['new', 'stays']);
  });

  it('R-216 count per status and per reason since a time, and what is alive at every age', async () => {
    const end = async (nowMs: number): Promise<void> => {
      const { id } = await lives.enqueue({}, nowMs);
      fixture.database.prepare('update runs set queued_at_ms = 0, next_attempt_at_ms = 0 where id = ?').run(id);
      const run = await lives.claim();
      await lives.go(run.id, 'complete', { ...lives.held(run), reason: 'completed', answer: '' });
    };
    await end(1_000);
    await end(5_000);
    await lives.enqueue({}, 1_000);
    await lives.enqueue({}, 6_000);
    expect(await fixture.store.runCounts(0)).toMatchObject({
      byStatus: { completed: 2, queued: 2, running: 0, failed: 0 },
      byEndReason: { completed: 2 },
      live: { queued: 2, running: 0, waiting_for_approval: 0, waiting_for_input: 0 },
    });
    expect(await fixture.store.runCounts(5_000)).toMatchObject({
      byStatus: { completed: 1, queued: 1 },
      byEndReason: { completed: 1 },
      live: { queued: 2 },
    });
    expect((await fixture.store.runCounts(6_000)).byEndReason).toEqual({});
  });

  it('R-211 know no wait of an empty queue, and none of a run that came just now', async () => {
    const health = () => fixture.store.health({ nowMs: 1_000, workerMaxAgeMs: 1, transport: 'here' });
    expect((await health()).oldestQueueWaitSeconds).toBeNull();
    await lives.enqueue({}, 1_000);
    expect((await health()).oldestQueueWaitSeconds).toBe(0);
  });
});

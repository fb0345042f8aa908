import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { holdAliveLock } from '../../src-main/system/alive-lock.ts';
import { LEASE_MS } from '../../src-main/domain/limits.ts';
import {
  expireWaitingRuns,
  remindOfWaitingRuns,
  hasLivingWorker,
  staleClaims,
  sweepDeadWorkers,
  type ReaperPorts,
} from '../../src-main/workers/reaper.ts';
import { call } from '../support/fake-model.ts';
import { useProcesses, type ScriptProcess } from '../support/processes.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const DAY_MS = 86_400_000;

const NOTHING = { requeued: 0, deadLettered: 0, skipped: 0, lingering: 0 };

describe('the reaper', () => {
  const open = useRuntime();
  const start = useProcesses();
  let f: RuntimeFixture;
  let ports: ReaperPorts;
  let tokens = 0;

  beforeEach(() => {
    f = open([{ calls: [call('set_x', { key: 'title', value: 'n' })] }, { text: 'done' }]);
    const workersFolder = join(f.folder, 'workers');
    mkdirSync(workersFolder);
    ports = { store: f.store, clock: f.clock, workersFolder, report: f.ports.report, crashPoint: f.ports.crashPoint };
  });

  const proof = (name: string): string => join(ports.workersFolder, `${name}.alive`);
  const holder = async (...names: string[]): Promise<ScriptProcess> => {
    const process = start('hold-alive.ts', ...names.map(proof));
    await once(process.child, 'message');
    return process;
  };
  /** A run that a worker has claimed and said nothing of since. */
  const claimedBy = async (workerId: string): Promise<string> => {
    await f.start();
    const claim = { workerId, ownerToken: `token-${(tokens += 1)}`, nowMs: f.clock.nowMs(), isIdle: true };
    const claimed = await f.store.claim(claim);
    if (!claimed.ok || !claimed.value) throw new Error('Nothing was claimed.');
    return claimed.value.id;
  };
  const setLease = (id: string, ms: number): void => {
    f.database.prepare('update runs set lease_expires_at_ms = ? where id = ?').run(ms, id);
  };
  const sweep = () => sweepDeadWorkers(ports);

  it('T-36 never disturbs a worker that holds its proof, however old the lease', async () => {
    await holder('w1');
    const id = await claimedBy('w1');
    setLease(id, 1);
    const before = await f.row(id);
    expect(await sweep()).toEqual(NOTHING);
    expect(await f.row(id)).toEqual(before);
  });

  it('T-36 knows whether anybody would carry out a run by locks alone, not by a heartbeat that outlives its worker', async () => {
    expect(hasLivingWorker(ports)).toBe(false);
    const child = await holder('w1.child-1');
    expect(hasLivingWorker(ports)).toBe(false);
    const worker = await holder('w1');
    await f.store.touchWorker({ id: 'w1', pid: worker.pid, transport: 'pool', nowMs: f.clock.nowMs() });
    expect(hasLivingWorker(ports)).toBe(true);
    await worker.kill();
    expect(hasLivingWorker(ports)).toBe(false);
    await child.kill();
  });

  it('never disturbs a worker that is stopped, e.g. by a debugger or a sleeping machine', async () => {
    const worker = await holder('w1');
    const id = await claimedBy('w1');
    setLease(id, 1);
    process.kill(worker.pid, 'SIGSTOP');
    expect(await sweep()).toEqual(NOTHING);
    process.kill(worker.pid, 'SIGCONT');
    expect((await f.row(id)).status).toBe('running');
  });

  it('X-21 takes the run of a killed worker back at once and uncounted, long before its lease is over', async () => {
    const worker = await holder('w1');
    const id = await claimedBy('w1');
    await worker.kill();
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
    expect(await f.row(id)).toMatchObject({
      status: 'queued',
      requeueCount: 0,
      runsAlone: false,
      nextAttemptAtMs: f.clock.nowMs(),
    });
    expect((await f.events(id)).at(-1)).toMatchObject({
      kind: 'reclaimed',
      payload: { cause: 'worker_died', counted: false },
    });
    expect(await sweep()).toEqual(NOTHING);
  });

  it('counts a death during the run’s own tool call and lets that run run alone', async () => {
    const worker = await holder('w1');
    const id = await claimedBy('w1');
    f.database.prepare("update runs set phase = 'tools' where id = ?").run(id);
    await worker.kill();
    await sweep();
    expect(await f.row(id)).toMatchObject({ status: 'queued', requeueCount: 1, runsAlone: true });
  });

  it('R-110 ends a run that killed its worker once more than the budget allows', async () => {
    const worker = await holder('w1');
    const id = await claimedBy('w1');
    f.database.prepare("update runs set phase = 'tools', requeue_count = 3 where id = ?").run(id);
    await worker.kill();
    expect(await sweep()).toEqual({ ...NOTHING, deadLettered: 1 });
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'retries_exhausted' });
  });

  it('R-109 takes back no more runs than it is told, the oldest lease first', async () => {
    const worker = await holder('w1');
    const late = await claimedBy('w1');
    const early = await claimedBy('w1');
    setLease(early, 1);
    await worker.kill();
    expect(await sweepDeadWorkers(ports, 1)).toEqual({ ...NOTHING, requeued: 1 });
    expect([(await f.row(early)).status, (await f.row(late)).status]).toEqual(['queued', 'running']);
    expect(await staleClaims(ports)).toMatchObject([{ runId: late, workerId: 'w1' }]);
    expect(await sweepDeadWorkers(ports)).toEqual({ ...NOTHING, requeued: 1 });
    expect(await staleClaims(ports)).toEqual([]);
  });

  it('X-15 takes back the others when one row was changed outside, and says so', async () => {
    const worker = await holder('w1');
    const changed = await claimedBy('w1');
    const whole = await claimedBy('w1');
    setLease(changed, 1);
    const { lastSequence } = await f.row(changed);
    f.database.prepare('update runs set last_sequence = 99 where id = ?').run(changed);
    await worker.kill();
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1, skipped: 1 });
    expect((await f.row(whole)).status).toBe('queued');
    expect(f.reports.map(({ where }) => where)).toEqual([`reclaim of run ${changed}`]);
    f.database.prepare('update runs set last_sequence = ? where id = ?').run(lastSequence, changed);
  });

  it('X-19 ends questions that nobody answered in time, and only those', async () => {
    const turn = { calls: [call('set_x', { key: 'title', value: 'n' })] };
    f = open([turn, turn], { decisionLimitMs: 90 * DAY_MS });
    ports = { ...ports, store: f.store, clock: f.clock };
    const old = await f.start();
    await f.segment();
    await f.clock.advance(90 * DAY_MS - 1);
    await f.start();
    await f.segment();
    expect(await expireWaitingRuns(ports)).toBe(0);
    await f.clock.advance(1);
    expect(await expireWaitingRuns(ports)).toBe(1);
    expect(await f.row(old.id)).toMatchObject({ status: 'cancelled', endReason: 'expired' });
    expect(await f.store.waitingRuns()).toHaveLength(1);
  });

  it('X-19 says once in each pause of a run that it will expire, and not of those that have no limit', async () => {
    const turn = { calls: [call('set_x', { key: 'title', value: 'n' })] };
    f = open([turn, turn], { decisionLimitMs: 10 * DAY_MS });
    ports = { ...ports, store: f.store, clock: f.clock };
    const { id } = await f.start();
    await f.segment();
    const remind = () => remindOfWaitingRuns(ports);
    const reminders = async () => (await f.kinds(id)).filter((kind) => kind === 'expiry_near').length;
    await f.clock.advance(9 * DAY_MS - 1);
    expect(await remind()).toBe(0);
    await f.clock.advance(1);
    expect([await remind(), await remind(), await reminders()]).toEqual([1, 0, 1]);
    const before = await f.row(id);
    // Another pause: whoever takes an approval back has the whole limit again.
    await f.approve(id, OWNER, { withdrawWindowMs: 30_000 });
    await f.runtime.withdraw(OWNER, id);
    expect((await f.row(id)).waitingSinceMs).toBeGreaterThan(before.waitingSinceMs);
    expect(await remind()).toBe(0);
    await f.clock.advance(9 * DAY_MS);
    expect([await remind(), await remind(), await reminders()]).toEqual([1, 0, 2]);
    f.configure({ decisionLimitMs: null });
    await f.clock.advance(DAY_MS);
    expect([await remind(), await expireWaitingRuns(ports)]).toEqual([0, 0]);
  });

  it('waits while a tool child of a dead worker still ends its write', async () => {
    const worker = await holder('w1');
    const child = await holder('w1.child-1');
    const neighbour = await holder('w10.child-1');
    const id = await claimedBy('w1');
    await worker.kill();
    expect(await sweep()).toEqual({ ...NOTHING, lingering: 1 });
    expect((await f.row(id)).status).toBe('running');
    await child.kill();
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
    expect((await f.row(id)).status).toBe('queued');
    await neighbour.kill();
  });

  it('tells workers of one file apart: only the runs of the dead one go back', async () => {
    const dead = await holder('w1');
    await holder('w2');
    const [lost, kept] = [await claimedBy('w1'), await claimedBy('w2')];
    await dead.kill();
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
    expect([(await f.row(lost)).status, (await f.row(kept)).status]).toEqual(['queued', 'running']);
  });

  it('R-109, R-118 and R-120 judge a worker without a proof by its lease alone, and equality is not stale', async () => {
    const id = await claimedBy('w1');
    expect(await sweep()).toEqual(NOTHING);
    await f.clock.advance(LEASE_MS);
    expect((await f.row(id)).leaseExpiresAtMs).toBe(f.clock.nowMs());
    expect(await sweep()).toEqual(NOTHING);
    await f.clock.advance(1);
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
    expect((await f.events(id)).at(-1)?.payload).toMatchObject({ cause: 'lease_over' });
    expect(await f.row(id)).toMatchObject({ status: 'queued', ownerToken: '', leaseExpiresAtMs: 0 });
  });

  it('R-119 ends a run that used up its tries when its lease is over, and spares it until then', async () => {
    const id = await claimedBy('w1');
    f.database.prepare("update runs set phase = 'tools', requeue_count = 3 where id = ?").run(id);
    const before = await f.row(id);
    await f.clock.advance(LEASE_MS);
    expect(await sweep()).toEqual(NOTHING);
    expect(await f.row(id)).toEqual(before);
    await f.clock.advance(1);
    expect(await sweep()).toEqual({ ...NOTHING, deadLettered: 1 });
    expect(await f.row(id)).toMatchObject({
      status: 'failed',
      endReason: 'retries_exhausted',
      ownerToken: '',
      leaseExpiresAtMs: 0,
    });
    expect(await f.store.request(id)).toBeNull();
  });

  it('H-039 and T-09 never looks at a run that waits or queues', async () => {
    const waiting = await f.start();
    await f.segment();
    const queued = await f.start();
    const rows = [await f.row(waiting.id), await f.row(queued.id)];
    await f.clock.advance(10 * LEASE_MS);
    expect(await sweep()).toEqual(NOTHING);
    expect([await f.row(waiting.id), await f.row(queued.id)]).toEqual(rows);
  });

  it('X-15 sweeps on when one proof is damaged, and leaves that worker to its lease', async () => {
    const worker = await holder('w2');
    const [unprovable, lost] = [await claimedBy('w1'), await claimedBy('w2')];
    writeFileSync(proof('w1'), 'this is no database file, it is long enough to be looked at'.repeat(50));
    await worker.kill();
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
    expect([(await f.row(unprovable)).status, (await f.row(lost)).status]).toEqual(['running', 'queued']);
    expect(f.reports.map(({ where }) => where)).toContain('proof of worker w1');
    await f.clock.advance(LEASE_MS + 1);
    expect(await sweep()).toEqual({ ...NOTHING, requeued: 1 });
  });

  it('removes old proofs of the dead and keeps new ones, held ones and those of runs not yet taken back', async () => {
    await holder('held');
    for (const name of ['old', 'new', 'claimant', 'claimant.child-1']) holdAliveLock(proof(name)).release();
    await claimedBy('claimant');
    setLease((await f.store.runningClaims())[0]?.runId ?? '', f.clock.nowMs() + LEASE_MS);
    const seconds = f.clock.nowMs() / 1_000;
    for (const name of ['held', 'old', 'claimant']) utimesSync(proof(name), seconds - 7_200, seconds - 7_200);
    utimesSync(proof('new'), seconds, seconds);
    await sweep();
    expect(['held', 'old', 'new', 'claimant'].filter((name) => existsSync(proof(name)))).toEqual([
      'held',
      'new',
      'claimant',
    ]);
    // Its run is back now, so the next sweep clears up.
    await sweep();
    expect(existsSync(proof('claimant'))).toBe(false);
  });
});

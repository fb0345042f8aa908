import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src-main/domain/clock.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { startSupervisor, type Supervisor, type WorkerProcess } from '../../src-main/workers/supervisor.ts';
import type { FromWorker } from '../../src-main/workers/worker-messages.ts';
import { eventually } from '../support/processes.ts';
import { until } from '../support/fake-clock.ts';
import type { RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const SCRIPT = join(import.meta.dirname, '../support/pool-worker.ts');

/** A real process behind the supervisor's port, as a headless host makes it. */
function forkWorker(folder: string, behaviour: string): WorkerProcess {
  const child = fork(SCRIPT, [folder, behaviour], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    pid: child.pid,
    // A process that ends at this moment: its exit is on the way.
    send: (message) => void child.send(message, () => undefined),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromWorker)),
    onExit: (listener) => void child.once('exit', (code) => listener(code)),
    kill: () => void child.kill('SIGKILL'),
  };
}

const isAlive = (pid: number | undefined): boolean => {
  try {
    process.kill(pid ?? -1, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
};

describe('the supervisor', () => {
  const open = useRuntime();
  const supervisors: Supervisor[] = [];
  let joinNetwork: (() => void) | null = null;
  let f: RuntimeFixture;
  let folder: string;
  let backoffs: number[];
  let agedMs: number;

  beforeEach(() => {
    f = open([]);
    folder = join(f.folder, 'workers');
    mkdirSync(folder);
    backoffs = [];
    agedMs = 0;
  });
  afterEach(async () => {
    await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop(0)));
  });

  /** Real time, but a backoff is noted and cut short, and a test can make time jump. */
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + agedMs,
    pause(ms, signal) {
      if (ms >= 100) backoffs.push(ms);
      return systemClock.pause(Math.min(ms, 50), signal);
    },
  };

  const supervise = (count: number, behaviourOf: (index: number) => string = () => 'good'): Supervisor => {
    let forks = 0;
    let ids = 0;
    const supervisor = startSupervisor({
      store: f.store,
      clock,
      workersFolder: folder,
      crashPoint: () => undefined,
      report: f.ports.report,
      count,
      fork: () => forkWorker(folder, behaviourOf(forks++)),
      newWorkerId: () => `w${(ids += 1)}`,
      watchNetwork(onJoined) {
        joinNetwork = onJoined;
        return () => {
          joinNetwork = null;
        };
      },
      startMessage: (workerId) => ({ type: 'start', workerId, databasePath: f.path, dataKey: '', crashPoint: null }),
    });
    supervisors.push(supervisor);
    return supervisor;
  };
  const told = (workerId: string): string[] => {
    const path = join(folder, `${workerId}.told`);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };

  it('makes runs due that wait for their endpoint when the machine joins a network, until it stops', async () => {
    const supervisor = supervise(1);
    const { id } = await f.start();
    const held = systemClock.nowMs() + 600_000;
    f.database.prepare(`update runs set hold = 'offline', next_attempt_at_ms = ? where id = ?`).run(held, id);
    joinNetwork?.();
    await until(async () => (await f.row(id)).nextAttemptAtMs < held);
    await supervisor.stop(0);
    expect(joinNetwork).toBeNull();
  });

  it('is ready when each of its workers is', async () => {
    const supervisor = supervise(2);
    expect(supervisor.workers().map((worker) => worker.state)).toEqual(['starting', 'starting']);
    await supervisor.ready();
    expect(supervisor.workers()).toMatchObject([
      { workerId: 'w1', state: 'ready', restarts: 0 },
      { workerId: 'w2', state: 'ready', restarts: 0 },
    ]);
  });

  it('takes the runs of a killed worker back at once, wakes the others and restarts it under another name', async () => {
    const supervisor = supervise(2);
    await supervisor.ready();
    const { id } = await f.start();
    await f.store.claim({ workerId: 'w1', ownerToken: 'token', nowMs: f.clock.nowMs(), isIdle: true });
    process.kill(supervisor.workers()[0]?.pid ?? -1, 'SIGKILL');
    await eventually(async () => (await f.row(id)).status === 'queued', 'the run of the dead worker');
    expect(await f.row(id)).toMatchObject({ requeueCount: 0 });
    await eventually(() => told('w2').includes('wake'), 'the wake-up of the other worker');
    await eventually(() => supervisor.workers()[0]?.state === 'ready', 'the restart');
    expect(supervisor.workers()[0]).toMatchObject({ workerId: 'w3', restarts: 1 });
    expect(f.reports.map(({ where }) => where)).toEqual(['worker w1']);
  });

  it('leaves the run of a worker alone that is only stopped', async () => {
    const supervisor = supervise(1);
    await supervisor.ready();
    const { id } = await f.start();
    await f.store.claim({ workerId: 'w1', ownerToken: 'token', nowMs: f.clock.nowMs(), isIdle: true });
    f.database.prepare('update runs set lease_expires_at_ms = 1').run();
    const pid = supervisor.workers()[0]?.pid ?? -1;
    process.kill(pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await f.row(id)).status).toBe('running');
    process.kill(pid, 'SIGCONT');
  });

  it('waits longer each time before it restarts a worker that keeps crashing', async () => {
    const supervisor = supervise(1, () => 'crash');
    await eventually(() => (supervisor.workers()[0]?.restarts ?? 0) >= 4, 'four restarts');
    expect(backoffs.slice(0, 4)).toEqual([100, 200, 400, 800]);
  });

  it('restarts quickly again once a worker has lived for a while', async () => {
    const supervisor = supervise(1, (index) => (index < 2 ? 'crash' : 'good'));
    await supervisor.ready();
    expect(backoffs).toEqual([100, 200]);
    agedMs = 31_000;
    process.kill(supervisor.workers()[0]?.pid ?? -1, 'SIGKILL');
    await eventually(() => backoffs.length === 3, 'the third restart');
    expect(backoffs[2]).toBe(100);
  });

  it('keeps the healthy workers while one crashes', async () => {
    const supervisor = supervise(2, (index) => (index === 1 ? 'good' : 'crash'));
    await eventually(() => (supervisor.workers()[0]?.restarts ?? 0) >= 2, 'two restarts');
    expect(supervisor.workers()[1]).toMatchObject({ workerId: 'w2', state: 'ready', restarts: 0 });
  });

  it('passes a wake-up on to all workers, and one from a worker to all the others', async () => {
    const supervisor = supervise(2, (index) => (index === 0 ? 'loud' : 'good'));
    await supervisor.ready();
    supervisor.wake();
    await eventually(() => told('w2').length === 2, 'both wake-ups');
    expect(told('w1')).toEqual(['wake']);
    expect(told('w2')).toEqual(['wake', 'wake']);
  });

  it('lets workers stop by themselves', async () => {
    const supervisor = supervise(2);
    await supervisor.ready();
    const pids = supervisor.workers().map((worker) => worker.pid);
    await supervisor.stop(10_000);
    expect(supervisor.workers().map((worker) => worker.state)).toEqual(['stopped', 'stopped']);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(told('w1')).toEqual(['stop']);
    expect(f.reports).toEqual([]);
  });

  it('ends what does not stop within the grace time, and restarts nothing', async () => {
    const supervisor = supervise(2, (index) => (index === 0 ? 'stubborn' : 'good'));
    await supervisor.ready();
    const pids = supervisor.workers().map((worker) => worker.pid);
    const startedMs = performance.now();
    await supervisor.stop(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(190);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(supervisor.workers().map(({ state, restarts }) => [state, restarts])).toEqual([
      ['stopped', 0],
      ['stopped', 0],
    ]);
  });

  it('stops at once in the middle of a backoff', async () => {
    const supervisor = supervise(1, () => 'crash');
    await eventually(() => supervisor.workers()[0]?.state === 'restarting', 'the crash');
    await supervisor.stop(0);
    const { restarts } = supervisor.workers()[0] ?? { restarts: -1 };
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(supervisor.workers()[0]).toMatchObject({ state: 'stopped', restarts });
  });
});

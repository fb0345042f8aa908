import type { Supervisor } from '../../src-main/workers/supervisor.ts';

const PER_MINUTE = 2;

export interface WorkerKills {
  count: number;
  stop(): void;
}

/** Ends a random ready worker of the pool with SIGKILL, twice a minute. */
export function killWorkers(pool: Pick<Supervisor, 'workers'>): WorkerKills {
  const timer = setInterval(() => {
    const pids = pool.workers().flatMap(({ state, pid }) => (state === 'ready' && pid !== undefined ? [pid] : []));
    const pid = pids[Math.floor(Math.random() * pids.length)];
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    kills.count += 1;
  }, 60_000 / PER_MINUTE);
  const kills: WorkerKills = { count: 0, stop: () => clearInterval(timer) };
  return kills;
}

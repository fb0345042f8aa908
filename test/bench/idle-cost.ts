import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rounded } from './figures.ts';
import { childPids, cpuMsOf, residentBytes } from './process-usage.ts';

const IDLE_MS = 30_000;
/** What a start leaves behind is over by then. */
const SETTLE_MS = 5_000;
const HOST = join(import.meta.dirname, '..', '..', 'out', 'main', 'headless.js');

/** Processor time and memory of the built host without a window and of its two workers while nothing happens. */
export async function measureIdle(folder: string): Promise<Record<string, unknown>> {
  if (process.platform !== 'linux') return { notMeasured: 'only Linux shows what other processes use' };
  const host = spawn(process.execPath, [HOST, '--db', join(folder, 'idle', 'countersign.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(host, 'exit');
  try {
    await Promise.race([once(host.stdout, 'data'), ended]);
    await pause(SETTLE_MS);
    const pids = host.pid === undefined ? [] : [host.pid, ...childPids(host.pid)];
    const before = pids.map(cpuMsOf);
    await pause(IDLE_MS);
    const processes = pids.map((pid, index) => ({
      process: index === 0 ? 'host' : 'worker',
      cpuPercent: percent(before[index] ?? null, cpuMsOf(pid)),
      residentMegabytes: megabytes(residentBytes(pid)),
    }));
    return { seconds: IDLE_MS / 1_000, processes };
  } finally {
    host.kill('SIGTERM');
    await ended;
  }
}

const percent = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : rounded(((after - before) / IDLE_MS) * 100);

const megabytes = (bytes: number | null): number | null => (bytes === null ? null : rounded(bytes / 2 ** 20));

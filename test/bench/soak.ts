/*
 * Many runs while workers die: `soak.ts [runs]`, started by `npm run soak`. Prints one JSON object; exit code 0 when the
 * target shows exactly what the record says, nothing is left open, the chain holds and memory does not grow.
 */
import { openBenchWorld } from './bench-world.ts';
import { disposeDisk, openDisk } from './disk.ts';
import { rounded } from './figures.ts';
import { watchMemory } from './memory-watch.ts';
import { driveRuns } from './soak-driver.ts';
import { judgeSoak } from './soak-verdict.ts';
import { killWorkers } from './worker-kills.ts';

const WORKERS = 4;
const STOP_MS = 30_000;
const PROGRESS_MS = 30_000;

const runs = Number(process.argv[2] ?? 100_000);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('The number of runs is a whole number from 1.\n');
  process.exit(2);
}
const disk = openDisk();
const world = await openBenchWorld(runs);
try {
  const pool = world.pool(WORKERS);
  await pool.ready();
  const startedMs = performance.now();
  const memory = watchMemory(pool);
  const kills = killWorkers(pool);
  let toldMs = startedMs;
  const driven = await driveRuns(world, runs, (started) => {
    if (performance.now() - toldMs < PROGRESS_MS) return;
    toldMs = performance.now();
    const host = Math.round(process.memoryUsage.rss() / 2 ** 20);
    process.stderr.write(`${started} of ${runs} runs started, ${kills.count} workers killed, host ${host} MB\n`);
  });
  kills.stop();
  const remembered = memory.stop();
  const minutes = (performance.now() - startedMs) / 60_000;
  await pool.stop(STOP_MS);
  const verdict = await judgeSoak(world, runs);
  const passed = verdict.passed && !driven.hasStalled && remembered.passed !== false;
  const report = {
    minutes: rounded(minutes),
    runsPerMinute: rounded(runs / minutes),
    workers: WORKERS,
    kills: kills.count,
    fileSystem: disk.fileSystem,
    driven,
    ...verdict,
    memory: remembered,
    passed,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = passed ? 0 : 1;
} finally {
  await world.dispose();
  disposeDisk(disk);
}

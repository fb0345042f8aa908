/*
 * How long the console takes from the start of its process to an inbox that can be used, with 10,000 runs in its file, beside
 * the least that the same Electron can show. Prints one JSON object. Started by `npm run bench`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electronLaunch } from '../../scripts/lib/electron-launch.mjs';
import { fillDatabase } from './fill-database.ts';

const RUNS = Number(process.env.COUNTERSIGN_BENCH_RUNS ?? 10_000);
const REPEATS = Number(process.env.COUNTERSIGN_BENCH_REPEATS ?? 7);
const LIMIT_MS = 60_000;
const ROOT = join(import.meta.dirname, '..', '..');
const ROW = 'section a[href*="#/runs/"]';

/** What one start came to, in milliseconds from the start of the process. */
interface Start {
  loadedMs: number;
  usableMs: number;
}

const electron = JSON.parse(process.env.COUNTERSIGN_BENCH_ELECTRON ?? '') as {
  executable: string;
  sqliteBinding: string | undefined;
};
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
try {
  const data = join(folder, 'data');
  process.env.COUNTERSIGN_DATA = data;
  const database = await fillDatabase(join(data, 'countersign.db'), join(folder, 'site'), RUNS);
  const blank = (): Promise<Start> =>
    start({ main: join(ROOT, 'test/bench/app/blank.mjs'), data: join(folder, 'blank') });
  const console = (): Promise<Start> => start({ main: join(ROOT, 'out/main/main.js'), data, row: ROW });
  // The first start of each writes its profile and fills the caches of the system; it is not what a person meets every morning.
  const first = { blank: await blank(), console: await console() };
  const blanks: Start[] = [];
  const consoles: Start[] = [];
  for (let round = 0; round < REPEATS; round += 1) {
    blanks.push(await blank());
    consoles.push(await console());
  }
  process.stdout.write(`${JSON.stringify(reportOf(database, first, blanks, consoles), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function reportOf(database: object, first: object, blanks: Start[], consoles: Start[]): object {
  const blankMs = median(blanks.map(({ loadedMs }) => loadedMs));
  const usableMs = median(consoles.map(({ usableMs: each }) => each));
  return {
    measured:
      'milliseconds from the start of the process; blank to did-finish-load, console to a first row that a click reaches',
    database,
    repeats: REPEATS,
    first,
    blank: blanks.map(({ loadedMs }) => loadedMs),
    consoleLoaded: consoles.map(({ loadedMs }) => loadedMs),
    consoleUsable: consoles.map(({ usableMs: each }) => each),
    medians: {
      blank: blankMs,
      consoleLoaded: median(consoles.map(({ loadedMs }) => loadedMs)),
      consoleUsable: usableMs,
    },
    ratio: Math.round((usableMs / blankMs) * 100) / 100,
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Starts one app below the same watcher and waits for it to end. Faults: when it does not say what was measured. */
function start({ main, data, row = '' }: { main: string; data: string; row?: string }): Promise<Start> {
  const launch = electronLaunch({ executable: electron.executable, sqliteBinding: electron.sqliteBinding });
  const env = { ...launch.env, COUNTERSIGN_DATA: data, COUNTERSIGN_BENCH_MAIN: main, COUNTERSIGN_BENCH_ROW: row };
  return new Promise((resolve, reject) => {
    const startedAtMs = Date.now();
    const child = spawn(launch.executable, [...launch.args, join(import.meta.dirname, 'app')], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      const found = /^bench (\{.*\})$/m.exec(said)?.[1];
      if (!found) return reject(new Error(`${main} was not measured within ${LIMIT_MS / 1_000} s. It said:\n${said}`));
      const { loadedAtMs, usableAtMs } = JSON.parse(found) as { loadedAtMs: number; usableAtMs: number };
      resolve({ loadedMs: loadedAtMs - startedAtMs, usableMs: usableAtMs - startedAtMs });
    });
  });
}

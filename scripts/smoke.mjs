import { existsSync } from 'node:fs';
import { electronLaunch, hasDisplay } from './lib/electron-launch.mjs';
import { inProject, isProgram, projectRoot } from './lib/places.mjs';
import { capture } from './lib/processes.mjs';
import { secondsSince } from './lib/report.mjs';
import { runMain, setUp } from './lib/set-up.mjs';
import { tail } from './lib/step-failure.mjs';

/** A cold start under Xvfb on two busy cores took 3 s. */
const limitMs = 60_000;
/** Older versions can corrupt a WAL file that several connections use. */
const oldestSqlite = [3, 51, 3];

const fixtureApp = inProject('test', 'smoke', 'app');

/** The apps to start; the real one joins as soon as it is built. */
function cases() {
  const fixture = { name: 'smoke: fixture app', args: [fixtureApp], judge: judgeFixture };
  const real = { name: 'smoke: the app itself', args: [projectRoot, '--smoke'], judge: () => undefined };
  return existsSync(inProject('out', 'main', 'main.js')) ? [fixture, real] : [fixture];
}

/**
 * Starts each app on the real Electron and expects it to say `smoke ok` and to end by itself with code 0.
 *
 * @param {import('./lib/electron-launch.mjs').Runtime} electron
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSmoke(electron) {
  const totals = { passed: 0, failed: 0 };
  for (const { name, args, judge } of cases()) {
    const startedAtMs = performance.now();
    const result = await startElectron(electron, args);
    const said = result.output.split('\n').find((text) => text.startsWith('smoke ok'));
    const complaint = complaintAbout(result, said) ?? judge(said ?? '');
    totals[complaint ? 'failed' : 'passed'] += 1;
    process.stdout.write(`${complaint ? 'FAILED' : 'ok'.padEnd(6)} ${name}  ${secondsSince(startedAtMs)}\n`);
    if (complaint) process.stdout.write(`${complaint}\n${tail(result.output)}\n`);
  }
  return totals;
}

/**
 * @param {import('./lib/electron-launch.mjs').Runtime} electron
 * @param {string[]} args
 */
function startElectron(electron, args) {
  const launch = electronLaunch(electron);
  const command = [launch.executable, ...launch.args, ...args];
  if (hasDisplay()) return capture(command[0] ?? '', command.slice(1), { env: launch.env, timeoutMs: limitMs });
  return capture('xvfb-run', ['-a', ...command], { env: launch.env, timeoutMs: limitMs });
}

/**
 * @param {{ code: number, timedOut: boolean }} result
 * @param {string | undefined} said
 */
function complaintAbout({ code, timedOut }, said) {
  if (timedOut) return `did not end within ${limitMs / 1000} s`;
  if (code !== 0) return `ended with code ${code}`;
  return said === undefined ? 'ended without saying "smoke ok"' : undefined;
}

/** @param {string} said */
function judgeFixture(said) {
  const { sqlite, journalMode } = JSON.parse(said.slice('smoke ok '.length));
  if (!isAtLeast(sqlite, oldestSqlite)) return `SQLite ${sqlite} is older than ${oldestSqlite.join('.')}`;
  return journalMode === 'wal' ? undefined : `journal_mode is ${journalMode}, not wal`;
}

/**
 * @param {string} version
 * @param {number[]} oldest
 */
function isAtLeast(version, oldest) {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    const { electron } = await setUp({ withElectron: true, quiet: true });
    if (electron === undefined) throw new Error('set-up answered without an Electron');
    return (await runSmoke(electron)).failed;
  });
}

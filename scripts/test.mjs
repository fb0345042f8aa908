import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { runEndToEnd } from './e2e.mjs';
import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { secondsSince } from './lib/report.mjs';
import { provideBuild, providePackages, provideRuntime, provideTestBrowser, runMain } from './lib/set-up.mjs';
import { StepFailure } from './lib/step-failure.mjs';
import { runSmoke } from './smoke.mjs';

/** @typedef {{ passed: number, failed: number, skipped?: number, failures?: string[] }} Totals */

/*
 * `npm test`: set-up, checks, tests, the real Electron once, and the specs in window and browser. A stage that fails does not keep the later ones from running;
 * only without packages nothing can run. What failed is named once more at the end, where the end of a long log is read first.
 * The last line, `N passed, N failed`, counts test cases, checks, smoke cases and specs, and each set-up step that failed.
 * Arguments go to vitest.
 */
await runMain(async () => {
  /** @type {Required<Totals>} */
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const options = { quiet: false, retry: false };
  const node = await attempt(totals, () => providePackages(options));
  if (node === undefined) return close(totals);
  const electron = await attempt(totals, () => provideRuntime(node, options));
  const browser = await attempt(totals, () => provideTestBrowser(options));
  await attempt(totals, () => provideBuild(node, options));
  process.stdout.write('\n');
  add(totals, await runStage('checks', () => runChecks(node)));
  add(totals, await runStage('tests', () => runVitest(node, process.argv.slice(2))));
  // Without a runtime its set-up step has been counted as failed already, and there is nothing to start.
  if (electron) add(totals, await runStage('smoke', () => runSmoke(electron)));
  if (electron && browser) add(totals, await runStage('e2e', () => runEndToEnd(node, electron, browser, [])));
  return close(totals);
});

/**
 * @template T
 * @param {Required<Totals>} totals
 * @param {() => Promise<T>} step  has said itself why it failed, unless that was a bug
 * @returns {Promise<T | undefined>}
 */
async function attempt(totals, step) {
  try {
    return await step();
  } catch (error) {
    totals.failed += 1;
    totals.failures.push(`set-up: ${/** @type {Error} */ (error).message}`);
    if (!(error instanceof StepFailure)) console.error(error);
    return undefined;
  }
}

/**
 * A stage that breaks counts as one failure; its stack is shown and the others still run.
 *
 * @param {string} name
 * @param {() => Promise<Totals>} run
 * @returns {Promise<Totals>}
 */
async function runStage(name, run) {
  const startedAtMs = performance.now();
  const totals = await run().catch((error) => {
    console.error(error);
    return { passed: 0, failed: 1, failures: [`stage ${name}: ${/** @type {Error} */ (error).message}`] };
  });
  process.stdout.write(`stage ${name}: ${sentence(totals)}, ${secondsSince(startedAtMs)}\n\n`);
  return totals;
}

/**
 * Vitest prints as usual; what came of it is read from a file besides. An exit code without a failure, or no test at all, is a
 * failure, too.
 *
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<Totals>}
 */
async function runVitest(node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-vitest-'));
  try {
    const file = join(folder, 'report.json');
    const tool = inProject('node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', `--reporter=${inProject('scripts', 'lib', 'test-report.mjs')}`];
    const env = { ...environmentOf(node), COUNTERSIGN_TEST_REPORT: file };
    const code = await runForeground(node, [tool, 'run', ...reporters, ...args], env);
    /** @type {import('./lib/test-report.mjs').TestReport} */
    const report = JSON.parse(readFileSync(file, 'utf8'));
    if (report.passed + report.failed === 0) return { ...report, failed: 1, failures: ['no test ran'] };
    if (report.failed === 0 && code !== 0) return { ...report, failed: 1, failures: [`vitest ended with ${code}`] };
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Required<Totals>} sum
 * @param {Totals} part
 */
function add(sum, { passed, failed, skipped = 0, failures = [] }) {
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  sum.failures.push(...failures);
}

/** @param {Totals} totals */
function sentence({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * The closing line stands alone on the last line, whatever happened before.
 *
 * @param {Required<Totals>} totals
 */
function close(totals) {
  for (const failure of totals.failures) process.stdout.write(`FAILED ${failure}\n\n`);
  process.stdout.write(`${sentence(totals)}\n`);
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

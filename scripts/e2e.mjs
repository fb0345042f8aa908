import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDisplay } from './lib/electron-launch.mjs';
import { environmentOf } from './lib/node-binary.mjs';
import { inProject, isProgram } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { provideTestBrowser, runMain, setUp } from './lib/set-up.mjs';

/** Room for the largest window that a spec asks for. */
const screen = '-screen 0 1600x1200x24';

/**
 * Runs the end-to-end specs in the real window and in a browser. Their closing figures are read from a report of this run,
 * not from what is printed; an exit code without a failed test (a file that does not load, no test at all) is a failure, too.
 *
 * @param {string} node
 * @param {import('./lib/electron-launch.mjs').Runtime} electron
 * @param {string} browser
 * @param {string[]} args  for Playwright
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runEndToEnd(node, electron, browser, args) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-e2e-report-'));
  try {
    const report = join(folder, 'report.json');
    const env = {
      ...environmentOf(node),
      COUNTERSIGN_E2E_RUNTIME: JSON.stringify({ electron, browser }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    // A test that somebody marked as the only one must not make the others pass unseen.
    const onlyAll = process.env.CI ? ['--forbid-only'] : [];
    const command = [node, inProject('node_modules', '@playwright', 'test', 'cli.js'), 'test', ...onlyAll, ...args];
    const withDisplay = hasDisplay() ? command : ['xvfb-run', '-a', '-s', screen, ...command];
    const code = await runForeground(withDisplay[0] ?? node, withDisplay.slice(1), env);
    // Wrong words on the command line: Playwright has said so and written no report.
    if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
    const { stats } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = stats.unexpected + stats.flaky;
    if (stats.expected + failed === 0) process.stdout.write('no end-to-end test ran, which counts as a failure\n');
    return {
      passed: stats.expected,
      skipped: stats.skipped,
      failed: failed === 0 && (code !== 0 || stats.expected === 0) ? 1 : failed,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isProgram(import.meta.url)) {
  /* `npm run e2e`: what the specs need, then the specs. Arguments go to Playwright: `npm run e2e -- --project electron -g Deny`. */
  await runMain(async () => {
    const { node, electron } = await setUp({ withElectron: true, quiet: true });
    if (electron === undefined) throw new Error('set-up answered without an Electron');
    const browser = await provideTestBrowser({ quiet: true });
    return (await runEndToEnd(node, electron, browser, process.argv.slice(2))).failed === 0 ? 0 : 1;
  });
}

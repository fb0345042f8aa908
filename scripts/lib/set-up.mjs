import { createHash } from 'node:crypto';
import { provideBrowser } from './browser.mjs';
import { buildBundles, needsBuild } from './build.mjs';
import { installDependencies, needsInstall } from './dependencies.mjs';
import { provideElectron } from './electron.mjs';
import { hasDisplay } from './electron-launch.mjs';
import { withLock } from './lock.mjs';
import { projectRoot } from './places.mjs';
import { reportStep } from './report.mjs';
import { provideLibraries } from './shared-libraries.mjs';
import { provideSqliteAddon } from './sqlite-addon.mjs';
import { StepFailure } from './step-failure.mjs';

/** Two set-ups of one checkout share node_modules and out; only one at a time may write there. */
const checkoutLock = `checkout-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 12)}`;

/**
 * Brings this checkout to where it can run, and does nothing that is already done.
 *
 * @param {{ withElectron: boolean, withBuild?: boolean, quiet?: boolean, retry?: boolean }} options
 *   `quiet` leaves out the lines of steps that had nothing to do; `retry` tries the official Electron again although it
 *   could not be reached a short while ago.
 * @returns {Promise<{ node: string, electron: import('./electron-launch.mjs').Runtime | undefined }>}
 */
export async function setUp({ withElectron, withBuild = true, quiet = false, retry = false }) {
  const node = await providePackages({ quiet });
  const electron = withElectron ? await provideRuntime(node, { quiet, retry }) : undefined;
  if (withBuild) await provideBuild(node, { quiet });
  return { node, electron };
}

/**
 * node_modules as the lock wants it, and the Node to go on with.
 *
 * @param {{ quiet: boolean }} options
 */
export function providePackages(options) {
  return reportStep('packages', options, () =>
    needsInstall() ? withLock(checkoutLock, installDependencies) : installDependencies(),
  );
}

/**
 * An Electron that starts on this machine, with the add-on it needs.
 *
 * @param {string} node
 * @param {{ quiet: boolean, retry: boolean }} options
 * @returns {Promise<import('./electron-launch.mjs').Runtime>}
 */
export async function provideRuntime(node, { quiet, retry }) {
  const { executable, isFallback } = await reportStep('electron', { quiet }, () => provideElectron(node, { retry }));
  const needsVirtualDisplay = !hasDisplay();
  await reportStep('libraries', { quiet }, () => provideLibraries(executable, { needsVirtualDisplay }));
  if (!isFallback) return { executable, sqliteBinding: undefined };
  const sqliteBinding = await reportStep('sqlite', { quiet }, () => provideSqliteAddon(node, executable));
  return { executable, sqliteBinding };
}

/**
 * A Chromium for the tests of the page in a browser. Only for tests: the product itself never starts one.
 *
 * @param {{ quiet: boolean }} options
 */
export function provideTestBrowser(options) {
  return reportStep('browser', options, provideBrowser);
}

/**
 * The bundles in out/, built from the sources as they are now.
 *
 * @param {string} node
 * @param {{ quiet: boolean }} options
 */
export function provideBuild(node, options) {
  return reportStep('build', options, () =>
    needsBuild() ? withLock(checkoutLock, () => buildBundles(node)) : buildBundles(node),
  );
}

/**
 * The main function of a script: a step that failed has already explained itself; anything else is a bug and shows its stack.
 *
 * @param {() => Promise<number>} main  answers with the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof StepFailure)) console.error(error);
    process.exitCode = 1;
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf } from './node-binary.mjs';
import { inProject } from './places.mjs';
import { capture } from './processes.mjs';
import { tail } from './step-failure.mjs';

/**
 * A machine without a route fails at once; one behind a silent firewall would wait for minutes. Two minutes are enough for
 * 110 MB at 8 Mbit/s, and only machines that have the fallback are held to it.
 */
const limitWithFallbackMs = 120_000;
const limitMs = 20 * 60_000;

/** Where the program lies inside the unpacked archive. */
const programs = new Map([
  ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ['win32', 'electron.exe'],
]);

const inPackage = (/** @type {string[]} */ ...parts) => inProject('node_modules', 'electron', ...parts);

/** The version the lock asks for. */
export const officialVersion = () => JSON.parse(readFileSync(inPackage('package.json'), 'utf8')).version;

/**
 * The official binary if it is there and complete: the rule of the `electron` package itself. It writes path.txt last, so
 * a download that was cut off does not look complete. A developer's own build named by ELECTRON_OVERRIDE_DIST_PATH wins.
 *
 * @returns {string | undefined} an absolute path
 */
export function findOfficialElectron() {
  const program = programs.get(process.platform) ?? 'electron';
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return existsSync(join(override, program)) ? join(override, program) : undefined;
  if (read('dist', 'version')?.replace(/^v/, '') !== officialVersion() || read('path.txt') !== program)
    return undefined;
  return existsSync(inPackage('dist', program)) ? inPackage('dist', program) : undefined;
}

/**
 * Lets the `electron` package download its binary, as it would do by itself at first use. It checks the archive against the
 * hashes in the package, and obeys ELECTRON_MIRROR and its own cache.
 *
 * @param {string} node
 * @param {{ hasFallback: boolean }} options
 * @returns {Promise<{ executable: string } | { because: string }>}
 */
export async function downloadOfficialElectron(node, { hasFallback }) {
  const timeoutMs = hasFallback ? limitWithFallbackMs : limitMs;
  const result = await capture(node, [inPackage('install.js')], { env: environmentOf(node), timeoutMs });
  const executable = findOfficialElectron();
  if (result.code === 0 && executable) return { executable };
  if (result.timedOut) return { because: `the download did not finish within ${timeoutMs / 1000} s` };
  return { because: tail(result.output) };
}

/** @param {...string} parts */
function read(...parts) {
  return existsSync(inPackage(...parts)) ? readFileSync(inPackage(...parts), 'utf8') : undefined;
}

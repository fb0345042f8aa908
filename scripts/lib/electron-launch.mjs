import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {{ executable: string, sqliteBinding: string | undefined }} Runtime */

/** Only Linux can be without a display; elsewhere the window system is part of the session. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * How to start an app on this Electron: arguments that go first, the environment, and what to tell the person.
 *
 * The add-on's path goes to the fallback and to nothing else, and a variable left over in the shell is not passed on: it
 * would make a normal install load the wrong binary. ELECTRON_RUN_AS_NODE is set in the terminals of editors that are
 * themselves Electron apps, and would start a bare Node instead of a window.
 *
 * @param {Runtime} runtime
 */
export function electronLaunch({ executable, sqliteBinding }) {
  const { ELECTRON_RUN_AS_NODE: _node, COUNTERSIGN_SQLITE_BINDING: _stale, ...inherited } = process.env;
  const env = sqliteBinding ? { ...inherited, COUNTERSIGN_SQLITE_BINDING: sqliteBinding } : inherited;
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const note = isRoot ? 'running as root: Chromium starts only with --no-sandbox' : sandboxHint(executable);
  return { executable, args: isRoot ? ['--no-sandbox'] : [], env, note };
}

/**
 * Ubuntu since 24.04 forbids the unprivileged namespaces that Chromium's sandbox is made of, and Electron then aborts with a
 * message about its helper. The sandbox is not given up for that; the helper is what to repair.
 *
 * @param {string} executable
 */
function sandboxHint(executable) {
  if (process.platform !== 'linux' || mayCreateNamespaces()) return undefined;
  const helper = join(dirname(executable), 'chrome-sandbox');
  const status = statSync(helper, { throwIfNoEntry: false });
  const isReady = status?.uid === 0 && (status.mode & 0o4000) !== 0;
  const command = `sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`;
  return isReady ? undefined : `this system restricts Chromium's sandbox; if the window does not open: ${command}`;
}

/** Kernels without one of these two switches restrict nothing by it. */
function mayCreateNamespaces() {
  const isRestricted = readSwitch('apparmor_restrict_unprivileged_userns') === '1';
  return !isRestricted && readSwitch('unprivileged_userns_clone') !== '0';
}

/** @param {string} name */
function readSwitch(name) {
  const path = join('/proc/sys/kernel', name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

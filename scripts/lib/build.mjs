import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { environmentOf } from './node-binary.mjs';
import { inProject, projectRoot } from './places.mjs';
import { capture } from './processes.mjs';
import { StepFailure, tail } from './step-failure.mjs';

/** What a bundle is made of. */
const inputs = [
  'src-main',
  'src-renderer',
  'src-shared',
  'resources',
  'electron.vite.config.ts',
  'tsconfig.base.json',
  'package.json',
  'package-lock.json',
];
const stamp = inProject('out', '.built-from');

/**
 * Builds the bundles when a source differs from what they were built from.
 *
 * Contents are compared, not times: git sets times to now when it switches branches, and an older file copied in is newer
 * to no clock. The stamp goes first and comes back last, so that a build that was cut off is repeated.
 *
 * @param {string} node
 */
export async function buildBundles(node) {
  const fingerprint = fingerprintSources();
  if (isBuiltFrom(fingerprint)) return { value: undefined, said: 'up to date', changed: false };
  rmSync(stamp, { force: true });
  const tool = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const env = { ...environmentOf(node), NO_COLOR: '1' };
  const result = await capture(node, [tool, 'build', '--logLevel', 'warn'], { env });
  if (result.code !== 0) {
    throw new StepFailure({ tried: 'electron-vite build', because: tail(result.output), help: 'npm run build' });
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
  return { value: undefined, said: 'built', changed: true };
}

/** True when a build would be started now. */
export const needsBuild = () => !isBuiltFrom(fingerprintSources());

/** @param {string} fingerprint */
const isBuiltFrom = (fingerprint) => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;

function fingerprintSources() {
  const hash = createHash('sha256');
  for (const path of inputs.map((name) => inProject(name)).flatMap(filesBelow)) {
    const content = readFileSync(path);
    hash.update(`${relative(projectRoot, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]} in a fixed order
 */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).toSorted();
  return names.flatMap((name) => filesBelow(join(path, name)));
}

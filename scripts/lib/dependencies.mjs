import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { findNode } from './node-binary.mjs';
import { npm } from './npm.mjs';
import { inProject } from './places.mjs';
import { StepFailure, tail } from './step-failure.mjs';

/** What npm itself writes when it has finished an install; a killed one leaves none. */
const installedLock = inProject('node_modules', '.package-lock.json');
const wantedLock = inProject('package-lock.json');

/**
 * Installs node_modules when it is missing or differs from the lock, and finds the Node to go on with.
 *
 * A linked node_modules belongs to another checkout and is never touched: an install would pull it away under that one.
 */
export async function installDependencies() {
  const because = reasonToInstall();
  if (because === undefined) return { value: await findNode(), said: 'up to date', changed: false };
  if (isLinked()) {
    const said = `${because}, but node_modules is a link to another checkout and is left alone`;
    return { value: await findNode(), said, changed: true };
  }
  const command = await install();
  return { value: await findNode(), said: `${because}: ${command}`, changed: true };
}

/** True when an install would be started now; answers in a few milliseconds. */
export const needsInstall = () => reasonToInstall() !== undefined && !isLinked();

/** @returns {string | undefined} */
function reasonToInstall() {
  if (!existsSync(installedLock)) return 'node_modules is missing or incomplete';
  const manifest = readJson(inProject('package.json'));
  const wanted = readJson(wantedLock).packages;
  const installed = readJson(installedLock).packages;
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    if (!isDeepStrictEqual(manifest[kind] ?? {}, wanted[''][kind] ?? {})) return 'package.json differs from the lock';
  }
  const differs = Object.keys(wanted).some((path) => path !== '' && !isSame(wanted[path], installed[path]));
  return differs ? 'node_modules differs from the lock' : undefined;
}

/**
 * Optional packages are absent when they are for another platform. A peer that nobody asked for is absent as well.
 *
 * @param {any} wanted
 * @param {any} installed
 */
function isSame(wanted, installed) {
  if (installed === undefined) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
  return wanted.version === installed.version && wanted.integrity === installed.integrity;
}

/** @returns {Promise<string>} the command that worked */
async function install() {
  // Windows cannot delete a program that is running, and `npm ci` deletes first: node.exe in node_modules may be us.
  const replacesOnly = process.platform === 'win32' && existsSync(installedLock);
  const first = replacesOnly ? ['install'] : ['ci'];
  const result = await npm(first);
  if (result.code === 0) return `npm ${first[0]}`;
  if (first[0] === 'ci' && /EUSAGE|in sync|Missing: /.test(result.output)) {
    const second = await npm(['install']);
    if (second.code === 0) return 'npm install, because npm ci found the lock incomplete; please commit the lock';
    throw failure('npm ci, then npm install', second);
  }
  throw failure(`npm ${first[0]}`, result);
}

/**
 * @param {string} tried
 * @param {{ code: number, output: string }} result
 */
function failure(tried, { code, output }) {
  return new StepFailure({
    tried,
    because: `it ended with code ${code}:\n${tail(output)}`,
    help: 'npm ci    (after the network or registry problem named above is solved)',
  });
}

const isLinked = () => lstatSync(inProject('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

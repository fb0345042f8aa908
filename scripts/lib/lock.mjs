import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cacheFolder } from './places.mjs';

/** Longer than any step takes; after it the lock is not believed any more (a process id may have been given away again). */
const patienceMs = 15 * 60_000;
const pollMs = 200;
/** A lock file without a process id was created this very moment, or its writer died in between. */
const unsignedGraceMs = 10_000;

/**
 * Lets one set-up at a time do a piece of work; a second one waits and then usually finds it done. The lock names its
 * owner, so that a killed set-up never blocks the next one.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const folder = join(cacheFolder(), 'locks');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.lock`);
  const giveUpAtMs = Date.now() + patienceMs;
  while (!take(path)) {
    if (Date.now() > giveUpAtMs || !isHeld(path)) breakLock(path);
    else await pause(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function isHeld(path) {
  try {
    const owner = readFileSync(path, 'utf8');
    if (owner === '') return Date.now() - statSync(path).mtimeMs < unsignedGraceMs;
    return isAlive(Number(owner));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

/**
 * Moves an abandoned lock aside under a name of our own; only one of several waiters can win that rename. If a new owner
 * slipped in between look and rename, its lock is put back.
 *
 * @param {string} path
 */
function breakLock(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (isHeld(aside) && Date.now() - statSync(aside).mtimeMs < patienceMs) linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Signal 0 only asks. EPERM means that the process exists and belongs to somebody else.
 *
 * @param {number} processId
 */
export function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

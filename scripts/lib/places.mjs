import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The checkout these scripts belong to, wherever they are started from. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {...string} parts */
export const inProject = (...parts) => join(projectRoot, ...parts);

/**
 * What is expensive and the same for every checkout lives outside the work tree, so that a second clone starts in seconds
 * and `git clean` costs nothing. A relative XDG_CACHE_HOME is invalid by its own specification and is ignored.
 */
export function cacheFolder() {
  const configured = process.env.XDG_CACHE_HOME;
  const base = configured?.startsWith('/') ? configured : join(homedir(), '.cache');
  return join(base, 'countersign');
}

/**
 * True when the module was started as a program, false when it was imported by another script.
 *
 * @param {string} moduleUrl
 */
export function isProgram(moduleUrl) {
  return process.argv[1] !== undefined && moduleUrl === pathToFileURL(process.argv[1]).href;
}

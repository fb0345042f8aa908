import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { inProject, projectRoot } from './places.mjs';

/** A file that is longer has more than one subject. */
const longestFileLines = 400;
const folders = ['src-main', 'src-renderer', 'src-shared'];

/**
 * What no linter of ours checks: the length of every source file, whatever its language, and index files that only pass
 * names on (they hide where a name lives and pull whole folders into a bundle).
 *
 * @returns {{ code: number, output: string }}
 */
export function checkSourceShape() {
  const complaints = folders.flatMap((folder) => filesBelow(inProject(folder))).flatMap(complaintsAbout);
  return { code: complaints.length === 0 ? 0 : 1, output: complaints.join('\n') };
}

/** @param {string} path */
function complaintsAbout(path) {
  const name = relative(projectRoot, path);
  const lines = readFileSync(path, 'utf8').split('\n').length - 1;
  const found = [];
  if (lines > longestFileLines) found.push(`${name}: ${lines} lines, at most ${longestFileLines} are allowed`);
  if (/^index\.(ts|tsx)$/.test(basename(path))) found.push(`${name}: an index file; name the file after what it holds`);
  return found;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return /\.(ts|tsx|css|html)$/.test(entry.name) ? [path] : [];
  });
}

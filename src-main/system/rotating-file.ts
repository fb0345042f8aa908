import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { holdAliveLock, type AliveLock } from './alive-lock.ts';
import { isBusy } from './open-sqlite.ts';

/** How large a file grows, in bytes, and how many there are in all. */
export interface Rotation {
  maxBytes: number;
  files: number;
}

export const LOG_ROTATION: Rotation = { maxBytes: 5 * 1_048_576, files: 5 };

/** The files of one log, newest first, and the lock under which they are renamed. */
export function rotatedPaths(path: string, { files }: Rotation = LOG_ROTATION): { paths: string[]; lock: string } {
  return {
    paths: Array.from({ length: files }, (_, age) => (age === 0 ? path : `${path}.${age}`)),
    lock: `${path}.lock`,
  };
}

/**
 * Appends lines to a file that only its owner reads, for several processes at once.
 * Each line is one append, which the system does not mix with another; the file is
 * opened for it alone, so a process that renames takes no file away from one that
 * writes: its line is in the renamed file then. Of those who find the file full, the one
 * that gets the lock renames; the others go on.
 * Faults: what the file system says.
 */
export function createRotatingFile(path: string, rotation: Rotation = LOG_ROTATION): (line: string) => void {
  return (line) => {
    if (isFull(path, line, rotation)) rotate(path, line, rotation);
    appendFileSync(path, line, { mode: 0o600 });
  };
}

const isFull = (path: string, line: string, { maxBytes }: Rotation): boolean => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && size + Buffer.byteLength(line) > maxBytes;
};

function rotate(path: string, line: string, rotation: Rotation): void {
  const { paths, lock } = rotatedPaths(path, rotation);
  const held = tryLock(lock);
  if (!held) return;
  try {
    // Somebody else may have renamed between the look and the lock.
    if (!isFull(path, line, rotation)) return;
    for (let age = paths.length - 1; age > 0; age -= 1) {
      const [from, to] = [paths[age - 1] as string, paths[age] as string];
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
    }
  } finally {
    held.release();
  }
}

function tryLock(lock: string): AliveLock | null {
  try {
    return holdAliveLock(lock);
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}

/** The newest lines of a log, oldest first, from as many of its files as it takes. Faults: what the file system says. */
export function newestLines(path: string, count: number): string[] {
  let lines: string[] = [];
  for (const file of rotatedPaths(path).paths) {
    if (lines.length >= count || !existsSync(file)) break;
    lines = [
      ...readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
      ...lines,
    ];
  }
  return lines.slice(-count);
}

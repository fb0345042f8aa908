import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';

/** What the file system says is the identity of a file: another one for every copy, the same after a move on one disk. */
export const inodeOf = (path: string): string => statSync(path, { bigint: true }).ino.toString();

/** Random, 128 bit, hex. */
export const newInstanceId = (): string => randomBytes(16).toString('hex');

/** The text of a small file that may be missing: then null. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces a small file, whole or not at all, readable by its owner only. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}

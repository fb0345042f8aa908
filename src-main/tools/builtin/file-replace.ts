import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Checked, fail, passed } from '../checked.ts';
import { type GuardedPath, isOneFile, isStillGuarded } from '../path-guard.ts';
import { nameOfDescriptor } from './file-state.ts';

/** `changed` = what the write depends on was no longer so; nothing was written. */
export type WriteEnd = 'written' | 'changed';

/** Counts temporary names of this process; a name that is taken is skipped. */
let temporaryCount = 0;

/** A folder held open, so that what happens in it cannot be led elsewhere. */
interface OpenFolder {
  /** Prefix for names inside; on Linux it goes through the open folder, not through its path. */
  base: string;
  sync(): void;
  close(): void;
}

/** The sentence for a place that was swapped between the guard and the write. */
const MOVED = fail('The folder was replaced while the change was prepared; nothing was written. Try again.');

/**
 * Replaces or creates a file so that every reader sees the old or the new content,
 * never a part: temporary file in the same folder, fsync, `isUnchanged` asked once
 * more, rename, fsync of the folder. A new file is linked in place, so a file that
 * appeared meanwhile is not overwritten. Leaves no temporary file, whatever happens.
 * Missing folders are made, and removed again when the write fails.
 * `mode`: permission bits of the result.
 */
export function replaceFile(
  path: GuardedPath,
  content: Buffer,
  mode: number,
  isNew: boolean,
  isUnchanged: () => boolean,
): Checked<WriteEnd> {
  return inMadeFolders(path, () => placeFile(path, content, mode, isNew, isUnchanged));
}

function placeFile(
  path: GuardedPath,
  content: Buffer,
  mode: number,
  isNew: boolean,
  isUnchanged: () => boolean,
): Checked<WriteEnd> {
  return writeInFolder(path, (folder) => {
    const temporary = writeTemporary(folder.base, content, mode);
    let isPlaced = false;
    try {
      if (!isStillGuarded(path)) return MOVED;
      if (!isUnchanged()) return passed('changed');
      const target = join(folder.base, basename(path.absolute));
      isPlaced = isNew ? placeNew(temporary, target) : (renameSync(temporary, target), true);
      if (!isPlaced) return passed('changed');
      folder.sync();
      return passed('written');
    } finally {
      if (!isPlaced) unlinkSync(temporary);
    }
  });
}

/** Moves a file without ever overwriting: links the new name, then removes the old one. Both folders are held open. */
export function moveFile(from: GuardedPath, to: GuardedPath, isUnchanged: () => boolean): Checked<WriteEnd> {
  return inMadeFolders(to, () =>
    writeInFolder(from, (source) =>
      writeInFolder(to, (destination) => {
        if (!isStillGuarded(from) || !isStillGuarded(to)) return MOVED;
        if (!isUnchanged()) return passed('changed');
        const oldName = join(source.base, basename(from.absolute));
        if (!placeNew(oldName, join(destination.base, basename(to.absolute)))) return passed('changed');
        destination.sync();
        source.sync();
        return passed('written');
      }),
    ),
  );
}

/** Removes a file that `isUnchanged` still vouches for. */
export function removeFile(path: GuardedPath, isUnchanged: () => boolean): Checked<WriteEnd> {
  return writeInFolder(path, (folder) => {
    if (!isStillGuarded(path)) return MOVED;
    if (!isUnchanged()) return passed('changed');
    unlinkSync(join(folder.base, basename(path.absolute)));
    folder.sync();
    return passed('written');
  });
}

function writeInFolder(path: GuardedPath, work: (folder: OpenFolder) => Checked<WriteEnd>): Checked<WriteEnd> {
  let folder: OpenFolder | null;
  try {
    folder = openFolder(dirname(path.absolute));
  } catch (error) {
    return explainWriteError(error, path);
  }
  if (!folder) return MOVED;
  try {
    return work(folder);
  } catch (error) {
    return explainWriteError(error, path);
  } finally {
    folder.close();
  }
}

function explainWriteError(error: unknown, path: GuardedPath): Checked<WriteEnd> {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail(`The operating system does not allow Countersign to change "${path.relative}".`);
    case 'ENOSPC':
    case 'EDQUOT':
      return fail('The disk is full; nothing was written.');
    case 'ELOOP':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return MOVED;
    case 'EXDEV':
      return fail('The new path is on another disk. Create the file there and delete the old one instead.');
    default:
      throw error;
  }
}

/** Null = the folder is not where the guard saw it. */
function openFolder(folder: string): OpenFolder | null {
  // Windows cannot open a folder as a file; there the guard is asked again right before each step.
  if (process.platform === 'win32') return { base: folder, sync: () => undefined, close: () => undefined };
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const name = nameOfDescriptor(descriptor);
  const isThere =
    name === null
      ? isOneFile(lstatSync(folder, { bigint: true }), fstatSync(descriptor, { bigint: true }))
      : name === folder;
  if (!isThere) {
    closeSync(descriptor);
    return null;
  }
  return {
    base: name === null ? folder : `/proc/self/fd/${descriptor}`,
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

function writeTemporary(base: string, content: Buffer, mode: number): string {
  for (;;) {
    temporaryCount += 1;
    const temporary = join(base, `.countersign-${process.pid}-${temporaryCount}.tmp`);
    let descriptor: number;
    try {
      descriptor = openSync(temporary, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      for (let offset = 0; offset < content.length;) offset += writeSync(descriptor, content, offset);
      fchmodSync(descriptor, mode);
      fsyncSync(descriptor);
    } catch (error) {
      unlinkSync(temporary);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return temporary;
  }
}

/** Gives `source` the new name `target` and takes the old one away; false when something is there already. */
function placeNew(source: string, target: string): boolean {
  try {
    linkSync(source, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') return false;
    // File systems without hard links (FAT): the check right before is all there is.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) return false;
    renameSync(source, target);
    return true;
  }
  try {
    unlinkSync(source);
  } catch (error) {
    // The file has both names now. One that cannot be taken away leaves nothing behind.
    unlinkSync(target);
    throw error;
  }
  return true;
}

/** Makes the missing folders of a path, does the work, and removes them again when nothing was written. */
function inMadeFolders(path: GuardedPath, work: () => Checked<WriteEnd>): Checked<WriteEnd> {
  const missing: string[] = [];
  let folder = dirname(path.absolute);
  while (folder !== path.root && !lstatSync(folder, { throwIfNoEntry: false })) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  const made: string[] = [];
  let isWritten = false;
  try {
    for (const each of missing) {
      // One by one: `recursive` would walk through a link that was put there meanwhile.
      mkdirSync(each);
      made.push(each);
    }
    const result = work();
    isWritten = result.ok && result.value === 'written';
    return result;
  } catch (error) {
    return explainWriteError(error, path);
  } finally {
    if (!isWritten) for (const each of made.toReversed()) removeIfEmpty(each);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}

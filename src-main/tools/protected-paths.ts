import { type Stats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** SQLite keeps these beside a database; they are as protected as the database. */
const SIDECARS = ['', '-wal', '-shm', '-journal'];

/** Most entries looked at below protected folders when a file has several names. The product's own folder holds far fewer. */
const MAX_SCANNED = 20_000;

/**
 * Decides whether `path` is, or lies inside, something nobody may touch. Compares
 * real paths (symlinks resolved, letter case and Unicode form ignored, which refuses
 * too much rather than too little) and device + inode of the path and of every folder
 * above it. A file with several hard links is also compared with the files inside
 * the protected folders. The path need not exist.
 */
export function isProtected(path: string, protectedPaths: readonly string[]): boolean {
  const candidate = realPathOf(path);
  const folded = fold(candidate);
  const targets = protectedPaths.flatMap((each) => SIDECARS.map((suffix) => realPathOf(each) + suffix));
  if (targets.some((target) => isInside(folded, fold(target)))) return true;
  const identities = new Set(targets.map(identityOf).filter((each) => each !== null));
  for (const ancestor of ancestorsOf(candidate)) {
    const identity = identityOf(ancestor);
    if (identity !== null && identities.has(identity)) return true;
  }
  return hasNameInside(candidate, protectedPaths);
}

/** Decides whether a folder equals or contains something nobody may touch. */
export function containsProtected(folder: string, protectedPaths: readonly string[]): boolean {
  const folded = fold(realPathOf(folder));
  const identity = identityOf(folder);
  return protectedPaths.some((each) => {
    const target = realPathOf(each);
    if (isInside(fold(target), folded)) return true;
    return identity !== null && ancestorsOf(target).some((ancestor) => identityOf(ancestor) === identity);
  });
}

/** Whether two paths name one existing file, by whatever spelling or hard link. */
export function isSameFile(left: string, right: string): boolean {
  const identity = identityOf(left);
  return (identity !== null && identity === identityOf(right)) || fold(realPathOf(left)) === fold(realPathOf(right));
}

/** The real path; for what does not exist yet: the real path of its nearest existing folder plus the rest. */
export function realPathOf(path: string): string {
  const rest: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return join(realpathSync.native(existing), ...rest);
    } catch (error) {
      const parent = dirname(existing);
      if (parent === existing) throw error;
      rest.unshift(basename(existing));
      existing = parent;
    }
  }
}

function hasNameInside(candidate: string, protectedPaths: readonly string[]): boolean {
  const stats = statIfThere(candidate);
  if (!stats?.isFile() || stats.nlink < 2) return false;
  let budget = MAX_SCANNED;
  const pending = [...protectedPaths];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (!statIfThere(path)?.isDirectory()) continue;
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      budget -= 1;
      // More names than can be compared: nobody knows, so nobody may.
      if (budget < 0) return true;
      const child = join(path, entry.name);
      if (entry.isDirectory()) pending.push(child);
      else if (sameInode(stats, lstatSync(child))) return true;
    }
  }
  return false;
}

function sameInode(left: Stats, right: Stats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

function ancestorsOf(path: string): string[] {
  const list = [path];
  for (let parent = dirname(path); parent !== list.at(-1); parent = dirname(parent)) list.push(parent);
  return list;
}

function identityOf(path: string): string | null {
  const stats = statIfThere(path);
  return stats ? `${stats.dev}:${stats.ino}` : null;
}

function statIfThere(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardedPath } from '../path-guard.ts';

/** Most entries one call looks at; a workspace is not a backup disk. */
const MAX_VISITED = 20_000;

/** Deepest folder below the start. */
const MAX_DEPTH = 32;

/** One entry of a folder. `path` is relative to the workspace, exactly as stored. */
export interface Entry {
  path: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  sizeBytes: number | null;
}

/** What a walk found; `isComplete` is false when it stopped at a limit. */
export interface Walk {
  entries: Entry[];
  isComplete: boolean;
}

/**
 * Lists what is below a guarded folder, sorted by code unit, without following links.
 * `visit` decides which entries are kept and returns false to stop.
 */
export function walkFolder(
  start: GuardedPath,
  isRecursive: boolean,
  keep: (entry: Entry) => boolean,
  max: number,
): Walk {
  const walk: Walk = { entries: [], isComplete: true };
  let visited = 0;
  const enter = (folder: string, relative: string, depth: number): boolean => {
    for (const found of readSorted(folder)) {
      visited += 1;
      const path = relative === '' ? found.name : `${relative}/${found.name}`;
      const entry = describe(join(folder, found.name), path, found);
      if (entry !== null && keep(entry)) {
        if (walk.entries.length >= max) return false;
        walk.entries.push(entry);
      }
      if (visited > MAX_VISITED) return false;
      if (!isRecursive || !found.isDirectory()) continue;
      if (depth >= MAX_DEPTH) walk.isComplete = false;
      else if (!enter(join(folder, found.name), path, depth + 1)) return false;
    }
    return true;
  };
  walk.isComplete = enter(start.absolute, start.relative, 0) && walk.isComplete;
  return walk;
}

function readSorted(folder: string): Dirent[] {
  try {
    const list = readdirSync(folder, { withFileTypes: true });
    return list.toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  } catch (error) {
    // Gone or closed to us since it was listed: there is nothing to tell about it.
    if (['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function describe(absolute: string, path: string, found: Dirent): Entry | null {
  if (found.isDirectory()) return { path, kind: 'folder', sizeBytes: null };
  if (found.isSymbolicLink()) return { path, kind: 'link', sizeBytes: null };
  if (!found.isFile()) return { path, kind: 'other', sizeBytes: null };
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  return stats ? { path, kind: 'file', sizeBytes: stats.size } : null;
}

import { statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { PlaceFact } from '../domain/connect-rules.ts';
import { containsProtected, isProtected } from './protected-paths.ts';

/**
 * What the file system says about a place a person named: facts for the rule that
 * judges it. A leading `~` is the home folder. A path that is not whole is not looked
 * at: it would mean something else for every process.
 */
export function lookAtPlace(
  { name, path }: { name: string; path: string },
  kind: 'file' | 'folder',
  protectedPaths: readonly string[],
): PlaceFact {
  const whole = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  const fact = { name, path: whole, isAbsolute: isAbsolute(whole), exists: false, isReserved: false };
  const stats = fact.isAbsolute ? statsOf(whole) : null;
  if (!stats) return fact;
  const isReserved =
    isProtected(whole, protectedPaths) || (kind === 'folder' && containsProtected(whole, protectedPaths));
  return { ...fact, exists: kind === 'file' ? stats.isFile() : stats.isDirectory(), isReserved };
}

/** A name that no file can have, or a folder nobody may look into: for a person, there is nothing there. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

import { type BigIntStats, type Stats, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { ToolContext } from '../domain/tool.ts';
import { type Checked, fail, passed, refuse } from './checked.ts';
import { containsProtected, isProtected, isSameFile } from './protected-paths.ts';

/** A place inside a workspace that was proven to be inside. */
export interface GuardedPath {
  workspace: string;
  /** Real path of the workspace folder. */
  root: string;
  /** Normalised relative path with `/`; '' = the workspace itself. */
  relative: string;
  /** Real absolute path; its last parts may not exist yet. */
  absolute: string;
  /** What is there now; null = nothing. Never a symbolic link. */
  stats: Stats | null;
}

/** Names Windows gives to devices in every folder. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/**
 * Resolves a path that a model wrote inside a workspace the run was granted.
 * Refuses: unknown workspaces; absolute paths, drive letters, `..`, backslashes and
 * NUL; a symbolic link anywhere on the way; anything but files and folders; every
 * protected path by whatever spelling; a workspace that equals, contains or lies in
 * a protected path.
 */
export function guardPath(context: ToolContext, workspace: string, relative: string): Checked<GuardedPath> {
  const granted = findWorkspace(context, workspace);
  if (!granted.ok) return granted;
  const parts = splitPath(relative);
  if (!parts.ok) return parts;
  const walked = walk(granted.value, parts.value);
  if (!walked.ok) return walked;
  if (isProtected(walked.value.absolute, context.protectedPaths)) {
    return refuse(`The path "${relative}" belongs to Countersign itself; no tool may touch it.`);
  }
  return passed({ workspace, root: granted.value, ...walked.value });
}

/**
 * As `guardPath`, for a file that will be written: refuses the workspace itself, and
 * the database files of the run, which only the record tools may change.
 */
export function guardWritePath(context: ToolContext, workspace: string, relative: string): Checked<GuardedPath> {
  const guarded = guardPath(context, workspace, relative);
  if (!guarded.ok) return guarded;
  if (guarded.value.relative === '') return fail('Name a file inside the workspace, not the workspace itself.');
  const { absolute } = guarded.value;
  const isDatabase = context.databases.some((database) =>
    ['', '-wal', '-shm', '-journal'].some((suffix) => isSameFile(absolute, database.path + suffix)),
  );
  if (isDatabase) return refuse(`"${relative}" is a database of this run; change it with the record tools.`);
  return guarded;
}

/** Proves again that nothing on the way was swapped since: no link, same real place, same kind. */
export function isStillGuarded(path: GuardedPath): boolean {
  const again = walk(path.root, path.relative === '' ? [] : path.relative.split('/'));
  return again.ok && again.value.absolute === path.absolute && realpathSync.native(path.root) === path.root;
}

/** Whether two results of `stat` are one file. */
export function isOneFile(left: Stats | BigIntStats, right: Stats | BigIntStats): boolean {
  return BigInt(left.dev) === BigInt(right.dev) && BigInt(left.ino) === BigInt(right.ino);
}

function findWorkspace(context: ToolContext, name: string): Checked<string> {
  const found = context.workspaces.find((each) => each.name === name);
  if (!found) {
    const names = context.workspaces.map((each) => each.name).join(', ');
    return fail(`There is no workspace "${name}" in this run. ${names ? `Use one of: ${names}.` : 'None is granted.'}`);
  }
  if (!isAbsolute(found.path)) return refuse(`The workspace "${name}" is not set up with an absolute path.`);
  const stats = lstatFollowed(found.path);
  if (!stats?.isDirectory()) return fail(`The folder of the workspace "${name}" does not exist.`);
  const root = realpathSync.native(found.path);
  if (isProtected(root, context.protectedPaths) || containsProtected(root, context.protectedPaths)) {
    return refuse(
      `The workspace "${name}" overlaps with Countersign's own data folder. Choose another folder in the settings.`,
    );
  }
  return passed(root);
}

/** Splits a relative path into its parts; pure, so the rules are the same for every file system. */
export function splitPath(relative: string, platform: NodeJS.Platform = process.platform): Checked<string[]> {
  if (relative.includes('\0')) return refuse('A path cannot contain a NUL character.');
  if (!relative.isWellFormed()) return refuse('A path cannot contain half of a surrogate pair.');
  if (relative.includes('\\')) return refuse('Separate folders with "/", not with a backslash.');
  if (relative.startsWith('/') || /^[a-z]:/i.test(relative) || /^file:/i.test(relative)) {
    return refuse(`"${relative}" is not relative. Give the path inside the workspace, e.g. "css/site.css".`);
  }
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return refuse(`A path cannot contain "..": "${relative}".`);
  if (parts.some((part) => Buffer.byteLength(part) > 255)) return fail('A name in the path is longer than 255 bytes.');
  if (platform === 'win32') {
    const bad = parts.find((part) => WINDOWS_DEVICE.test(part) || /[<>:"|?*]|[. ]$/.test(part));
    if (bad !== undefined) return refuse(`Windows cannot use the name "${bad}".`);
  }
  return passed(parts);
}

interface Walked {
  relative: string;
  absolute: string;
  stats: Stats | null;
}

function walk(root: string, parts: string[]): Checked<Walked> {
  let absolute = root;
  let stats: Stats | null = lstatIfThere(root);
  for (const [index, part] of parts.entries()) {
    if (stats !== null && !stats.isDirectory()) {
      return fail(`"${parts.slice(0, index).join('/')}" is a file, so nothing can be inside it.`);
    }
    absolute = join(absolute, part);
    stats = stats === null ? null : lstatIfThere(absolute);
    const here = parts.slice(0, index + 1).join('/');
    if (stats?.isSymbolicLink()) return refuse(`"${here}" is a symbolic link; the file tools never follow links.`);
    if (stats && !stats.isFile() && !stats.isDirectory()) return refuse(`"${here}" is neither a file nor a folder.`);
  }
  const named = realName(root, absolute, parts, stats);
  const isInside = named.absolute === root || named.absolute.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInside ? passed(named) : refuse(`"${parts.join('/')}" leads out of the workspace.`);
}

/** The name as the file system stores it: on systems that ignore case or Unicode form, two spellings are one target. */
function realName(root: string, absolute: string, parts: string[], stats: Stats | null): Walked {
  if (parts.length === 0) return { relative: '', absolute, stats };
  const missing: string[] = [];
  let existing = absolute;
  while (existing !== root && lstatIfThere(existing) === null) {
    missing.unshift(parts[parts.length - missing.length - 1] ?? '');
    existing = dirname(existing);
  }
  const real = join(realpathSync.native(existing), ...missing);
  const relative = real.slice(root.length).split(/[\\/]/).filter(Boolean).join('/');
  return { relative, absolute: real, stats };
}

function lstatIfThere(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function lstatFollowed(path: string): Stats | null {
  const link = lstatIfThere(path);
  if (!link?.isSymbolicLink()) return link;
  try {
    return lstatSync(realpathSync.native(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

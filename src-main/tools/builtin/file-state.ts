import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, readlinkSync } from 'node:fs';
import { digest } from '../../domain/digest.ts';
import type { Overlay } from '../../domain/tool.ts';
import { type Checked, fail, passed, refuse } from '../checked.ts';
import { type GuardedPath, isOneFile, isStillGuarded } from '../path-guard.ts';

/** Largest file whose content is kept for previews and edits, in bytes. Larger ones can be listed, moved and deleted. */
export const MAX_EDITED_BYTES = 10 * 1024 * 1024;

/** A regular file as it is or would be. `bytes` is null where it is larger than `MAX_EDITED_BYTES`. */
export interface FileContent {
  kind: 'file';
  sha256: string;
  sizeBytes: number;
  /** Permission bits. */
  mode: number;
  bytes: Buffer | null;
}

/** What is at a path, "nothing" included. */
export type FileState = FileContent | { kind: 'absent' };

/** The state a file would have with this content. */
export function fileOf(bytes: Buffer, mode: number): FileContent {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'file', sha256, sizeBytes: bytes.length, mode, bytes };
}

/**
 * The state of a file: simulated by an earlier call of the turn, else as it is now.
 * Refuses: a folder.
 */
export function stateAt(path: GuardedPath, overlay: Overlay): Checked<FileState> {
  const simulated = overlay.get(overlayKey(path)) as FileState | undefined;
  return simulated ? passed(simulated) : readState(path);
}

/** Remembers the result of a call for the later calls of the turn. */
export function simulate(path: GuardedPath, state: FileState, overlay: Overlay): void {
  overlay.set(overlayKey(path), state);
}

/** By real path: two workspaces or two spellings may name one file. */
function overlayKey(path: GuardedPath): string {
  return `file:${path.absolute}`;
}

/**
 * Digest of what a call depends on: every path it touches, where that really is, and
 * the digest of the whole content there, or the statement that nothing is there.
 * Source: architecture.md §5a "Footprint", T-45.
 */
export function fileFootprint(entries: { path: GuardedPath; state: FileState }[]): string {
  return digest(
    'footprint/1:',
    entries.map(({ path, state }) => ({
      kind: 'file',
      workspace: path.workspace,
      path: path.relative,
      // The same name may lead elsewhere later: a workspace set to another folder, or a folder replaced by a link.
      realPath: path.absolute,
      state: state.kind === 'absent' ? 'absent' : { sha256: state.sha256, sizeBytes: state.sizeBytes },
    })),
  );
}

/** Whether two states have the same bytes, or are both nothing. */
export function isSameState(left: FileState, right: FileState): boolean {
  if (left.kind === 'absent' || right.kind === 'absent') return left.kind === right.kind;
  return left.sha256 === right.sha256 && left.sizeBytes === right.sizeBytes;
}

/**
 * Reads the file at a guarded path without following links. The opened file is
 * proven to be the one at that path, so a folder swapped for a link after the guard
 * looked leads to a refusal, never to foreign content.
 */
export function readState(path: GuardedPath): Checked<FileState> {
  let descriptor: number;
  try {
    // NONBLOCK: opening a pipe that was put there meanwhile must not wait for a writer.
    descriptor = openSync(
      path.absolute,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    return explainOpenError(error, path);
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return fail(`"${path.relative}" is a folder, not a file.`);
    if (!stats.isFile()) return refuse(`"${path.relative}" is neither a file nor a folder.`);
    const content = readContent(descriptor, stats.mode & 0o7777);
    if (!isOpenAt(descriptor, path)) return fail(`"${path.relative}" was replaced while it was read. Try again.`);
    return passed(content);
  } finally {
    closeSync(descriptor);
  }
}

function explainOpenError(error: unknown, path: GuardedPath): Checked<FileState> {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return passed({ kind: 'absent' });
    case 'ELOOP':
    case 'EMLINK':
      return refuse(`"${path.relative}" is a symbolic link; the file tools never follow links.`);
    case 'EACCES':
    case 'EPERM':
      return fail(`The operating system does not allow Countersign to read "${path.relative}".`);
    case 'EISDIR':
      return fail(`"${path.relative}" is a folder, not a file.`);
    default:
      throw error;
  }
}

function readContent(descriptor: number, mode: number): FileContent {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    const count = readSync(descriptor, chunk);
    if (count === 0) break;
    const part = chunk.subarray(0, count);
    hash.update(part);
    sizeBytes += count;
    if (sizeBytes <= MAX_EDITED_BYTES) chunks.push(part);
  }
  const bytes = sizeBytes <= MAX_EDITED_BYTES ? Buffer.concat(chunks) : null;
  return { kind: 'file', sha256: hash.digest('hex'), sizeBytes, mode, bytes };
}

function isOpenAt(descriptor: number, path: GuardedPath): boolean {
  const name = nameOfDescriptor(descriptor);
  if (name !== null) return name === path.absolute;
  if (!isStillGuarded(path)) return false;
  const there = lstatSync(path.absolute, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && isOneFile(there, fstatSync(descriptor, { bigint: true }));
}

/** Where the kernel says an open file is; null on systems that do not tell. This cannot be raced. */
export function nameOfDescriptor(descriptor: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    // No /proc in this sandbox: the caller compares inodes instead.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

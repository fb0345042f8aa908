import { lstatSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ToolContext } from '../../domain/tool.ts';
import { isBusy, type SqliteConnection, openSqlite } from '../../system/open-sqlite.ts';
import { type Checked, type ToolRefusal, fail, passed, refuse } from '../checked.ts';
import { isProtected, realPathOf } from '../protected-paths.ts';

/** How long a call waits for another program's lock, in milliseconds; well below the shortest deadline of a call. */
const LOCK_WAIT_MS = 2_000;

/**
 * Opens a database the run was granted, does the work and closes it. For reading the
 * file is opened read-only, twice over (`query_only`), and functions named in the
 * file's own schema cannot do harm (`trusted_schema=off`). For writing, foreign keys
 * are enforced and a commit is on disk when it returns; nothing that stays in the
 * file, such as its journal mode, is changed.
 * Refuses: names that are not granted, and every spelling of the product's own files.
 */
export function withDatabase<T>(
  context: ToolContext,
  name: string,
  access: 'read' | 'write',
  work: (connection: SqliteConnection) => Checked<T>,
): Checked<T> {
  const path = findDatabase(context, name);
  if (!path.ok) return path;
  let connection: SqliteConnection | null = null;
  try {
    connection = openSqlite(path.value, {
      readonly: access === 'read',
      fileMustExist: true,
      busyTimeoutMs: LOCK_WAIT_MS,
    });
    connection.pragma('trusted_schema = off');
    connection.pragma('recursive_triggers = off');
    connection.pragma(access === 'read' ? 'query_only = on' : 'foreign_keys = on');
    if (access === 'write') connection.pragma('synchronous = full');
    return work(connection);
  } catch (error) {
    const refusal = explainOpening(error, name);
    if (refusal) return refusal;
    throw error;
  } finally {
    connection?.close();
  }
}

function findDatabase(context: ToolContext, name: string): Checked<string> {
  const found = context.databases.find((each) => each.name === name);
  if (!found) {
    const names = context.databases.map((each) => each.name).join(', ');
    return fail(`There is no database "${name}" in this run. ${names ? `Use one of: ${names}.` : 'None is granted.'}`);
  }
  // The library trims names and understands `file:` addresses: both would open something else than was checked.
  if (!isAbsolute(found.path) || found.path !== found.path.trim() || found.path.includes('\0')) {
    return refuse(`The database "${name}" is not set up with an absolute path.`);
  }
  if (isProtected(found.path, context.protectedPaths)) {
    return refuse(`The database "${name}" is Countersign's own; no tool may open it. Choose another in the settings.`);
  }
  const stats = statSync(found.path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return fail(`The file of the database "${name}" does not exist.`);
  const real = realPathOf(found.path);
  for (const suffix of ['-wal', '-shm', '-journal']) {
    const sidecar = real + suffix;
    // SQLite would follow a link there and write into whatever it leads to.
    if (
      lstatSync(sidecar, { throwIfNoEntry: false })?.isSymbolicLink() ||
      isProtected(sidecar, context.protectedPaths)
    ) {
      return refuse(`Beside the database "${name}" lies a "${suffix}" file that leads elsewhere. Remove it first.`);
    }
  }
  return passed(real);
}

function explainOpening(error: unknown, name: string): ToolRefusal | null {
  if (isBusy(error)) {
    return fail(`The database "${name}" is locked by another program; nothing was changed. Try again later.`);
  }
  switch ((error as { code?: unknown }).code) {
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return fail(`The file of the database "${name}" is damaged or not a SQLite database.`);
    case 'SQLITE_CANTOPEN':
      return fail(`The database "${name}" cannot be opened.`);
    case 'SQLITE_READONLY':
    case 'SQLITE_READONLY_DIRECTORY':
      return fail(`The database "${name}" is read-only for Countersign; nothing was changed.`);
    case 'SQLITE_FULL':
      return fail('The disk is full; nothing was changed.');
    default:
      return null;
  }
}

import { existsSync } from 'node:fs';
import { type SqliteConnection, isBusy, openSqlite } from './open-sqlite.ts';

/** A proof of life that this process holds. */
export interface AliveLock {
  path: string;
  /** Gives it up; the file stays. */
  release(): void;
}

/** Keeps every handle referenced: a collected handle would close and declare a living process dead. */
const held = new Set<SqliteConnection>();

/**
 * Takes the proof of life of this process: a tiny SQLite file, locked exclusively
 * until `release` or the end of the process, however it ends. The operating system
 * drops the lock only when the process is really gone, also after SIGKILL, and keeps
 * it while the process is stopped. Never read the file by other means in the process
 * that holds it: closing any descriptor of it would drop the lock.
 * Faults: `SqliteError` (`SQLITE_BUSY`) when another process holds this file.
 * Source: architecture.md §2 "Proof of death".
 */
export function holdAliveLock(path: string): AliveLock {
  const connection = openSqlite(path);
  try {
    // Nothing is ever written, so no journal file needs to lie beside it.
    connection.pragma('journal_mode = memory');
    connection.exec('begin exclusive');
  } catch (error) {
    connection.close();
    throw error;
  }
  held.add(connection);
  return {
    path,
    release: () => {
      if (!held.delete(connection)) return;
      connection.exec('rollback');
      connection.close();
    },
  };
}

/**
 * Asks whether the holder of a proof of life still exists: `held` = it runs or is
 * stopped, `free` = it is gone, `missing` = there never was one or it was cleaned up.
 * Answers at once (lock timeout 0) and changes nothing.
 * Faults: `SqliteError` for anything but a lock, e.g. a damaged file.
 */
export function probeAliveLock(path: string): 'held' | 'free' | 'missing' {
  if (!existsSync(path)) return 'missing';
  const connection = openSqlite(path, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = memory');
    connection.exec('begin exclusive');
    connection.exec('rollback');
    return 'free';
  } catch (error) {
    if (isBusy(error)) return 'held';
    throw error;
  } finally {
    connection.close();
  }
}

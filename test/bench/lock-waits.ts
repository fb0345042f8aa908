import type { Database } from 'better-sqlite3';
import { isBusy } from '../../src-main/system/open-sqlite.ts';

/** How long a connection waited for the write lock, from its first try to the one that got it. */
export interface LockWaits {
  /** The longest since the last call, in milliseconds. */
  takeLongest(): number;
}

/** Listens to a connection. The store asks for the lock with `begin immediate` and tries again when it is held. */
export function watchLockWaits(database: Database): LockWaits {
  const execute = database.exec.bind(database);
  let firstTryMs: number | null = null;
  let longestMs = 0;
  database.exec = (sql) => {
    if (sql !== 'begin immediate') return execute(sql);
    firstTryMs ??= performance.now();
    try {
      execute(sql);
    } catch (error) {
      if (!isBusy(error)) firstTryMs = null;
      throw error;
    }
    longestMs = Math.max(longestMs, performance.now() - firstTryMs);
    firstTryMs = null;
    return database;
  };
  return {
    takeLongest() {
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
  };
}

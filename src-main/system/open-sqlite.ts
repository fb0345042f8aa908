import SqliteDatabase, { type Database, type Options } from 'better-sqlite3';

/** Below this, several connections of one WAL file can corrupt it. */
const MINIMUM_VERSION = [3, 51, 3] as const;
let isVersionChecked = false;

/**
 * Opens a SQLite file with the add-on that fits this runtime. The environment
 * variable COUNTERSIGN_SQLITE_BINDING names another build of the same add-on, for
 * runtimes that need one; normal installs never set it.
 * Faults: when the linked SQLite is older than 3.51.3; whatever opening raises.
 * Source: architecture.md §3 "SQLite"; docs/decisions/0005.
 */
export function openSqlite(path: string, options: Options = {}): Database {
  const nativeBinding = process.env.COUNTERSIGN_SQLITE_BINDING;
  if (!isVersionChecked) assertVersion(nativeBinding);
  return new SqliteDatabase(path, nativeBinding ? { ...options, nativeBinding } : options);
}

/** Asks a database in memory: a query on the file would meet its locks, and code that is too old must not touch it. */
function assertVersion(nativeBinding: string | undefined): void {
  const database = new SqliteDatabase(':memory:', nativeBinding ? { nativeBinding } : {});
  const version = database.prepare('select sqlite_version()').pluck().get() as string;
  database.close();
  const parts = version.split('.').map(Number);
  for (const [index, minimum] of MINIMUM_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part > minimum) break;
    if (part < minimum) {
      throw new Error(`SQLite ${version} is too old; ${MINIMUM_VERSION.join('.')} or newer is needed.`);
    }
  }
  isVersionChecked = true;
}

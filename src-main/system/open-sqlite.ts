import Database from 'better-sqlite3';

/** An open SQLite connection. */
export type SqliteConnection = Database.Database;

/** Older WAL code can corrupt a file that several connections write to. Source: architecture.md §3 "SQLite". */
const OLDEST_SQLITE = [3, 51, 3] as const;

let isVersionProven = false;

/** How to open a file; everything is optional. */
export interface OpenSqliteOptions {
  readonly?: boolean;
  fileMustExist?: boolean;
  /** How long SQLite itself waits for a lock, in milliseconds; 0 answers at once. Default 0. */
  busyTimeoutMs?: number;
}

/**
 * Opens a SQLite file; the only place that does. Uses the add-on named by
 * COUNTERSIGN_SQLITE_BINDING where that is set (Electron's own build), else the
 * one that comes with the package. Sets no pragma: a foreign file keeps its own.
 * Faults: `SqliteError` when the file cannot be opened, `Error` when the library is
 * older than 3.51.3.
 */
export function openSqlite(path: string, options: OpenSqliteOptions = {}): SqliteConnection {
  const binding = process.env['COUNTERSIGN_SQLITE_BINDING'];
  if (!binding) proveRuntime();
  const addOn = binding ? { nativeBinding: binding } : {};
  if (!isVersionProven) proveVersion(new Database(':memory:', addOn));
  return new Database(path, {
    readonly: options.readonly ?? false,
    fileMustExist: options.fileMustExist ?? false,
    timeout: options.busyTimeoutMs ?? 0,
    ...addOn,
  });
}

/** The packaged add-on ends an older Node with a segmentation fault instead of an error. */
function proveRuntime(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 14)) return;
  throw new Error(
    `Node ${process.versions.node} is too old for the database. Start through npm, which brings its own: npm start, or npm run -s cli -- COMMAND`,
  );
}

/** Asks a database in memory: a query on the file would meet its locks, and code that is too old must not touch it. */
function proveVersion(connection: SqliteConnection): void {
  const version = connection.prepare('select sqlite_version()').pluck().get() as string;
  connection.close();
  if (!isRecentEnough(version)) {
    throw new Error(`SQLite ${version} is older than ${OLDEST_SQLITE.join('.')}, the oldest this product may use`);
  }
  isVersionProven = true;
}

/** Decides whether a SQLite version text such as `3.51.3` is new enough. */
export function isRecentEnough(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, needed] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (Number.isNaN(part) || part < needed) return false;
    if (part > needed) return true;
  }
  return true;
}

/** Whether an error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

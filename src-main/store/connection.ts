import type { Database } from 'better-sqlite3';
import { isBusy, openSqlite } from '../system/open-sqlite.ts';
import { migrate, refuseForeign, refuseNewer } from './migrate.ts';

/**
 * Opens the product's database with the settings every connection must have, reads
 * them back, and brings the schema up to date. `busy_timeout` is 0 because waiting
 * inside SQLite stops the event loop: the store waits asynchronously instead.
 * Faults: when a setting does not hold; `NewerDatabaseError`;
 * `ForeignDatabaseError`; SQLITE_BUSY.
 * Source: architecture.md §3 "SQLite".
 */
export function openConnection(path: string): Database {
  const database = openSqlite(path);
  try {
    // Opening may wait for another start that migrates; nothing else runs in this process yet.
    database.pragma('busy_timeout = 5000');
    // Before the journal mode, which is written to the file.
    refuseForeign(database);
    refuseNewer(database);
    configure(database);
    migrate(database);
    database.pragma('busy_timeout = 0');
    proveSettings(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * Runs a write of the start-up, which may wait for another process inside SQLite:
 * nothing else runs in this process yet. Everything later goes through the write queue.
 */
export function patiently<T>(database: Database, write: () => T): T {
  database.pragma('busy_timeout = 5000');
  try {
    return write();
  } finally {
    database.pragma('busy_timeout = 0');
  }
}

function configure(database: Database): void {
  switchToWal(database);
  // A new WAL connection opens at NORMAL here: a power cut could lose a committed decision (T-118).
  database.pragma('synchronous = full');
  // In pages, 16 MB: at the default of 1,000 a checkpoint came every ten runs and cost 0.3 fsyncs of each.
  database.pragma('wal_autocheckpoint = 4000');
  database.pragma('foreign_keys = on');
  database.pragma('trusted_schema = off');
  // Without it REPLACE deletes rows past the triggers that keep the logs append-only.
  database.pragma('recursive_triggers = on');
  // A deleted sealed part is overwritten: left in a free page it could be put back.
  database.pragma('secure_delete = on');
}

const SWITCH_TRIES = 20;

/**
 * Of several first starts that switch a fresh file at the same moment, SQLite
 * answers all but one with SQLITE_BUSY at once, past the busy timeout (1 of 160
 * opens, measured). Taking the write lock waits for the one that switches.
 */
function switchToWal(database: Database): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === SWITCH_TRIES) throw error;
    }
    database.exec('begin immediate; rollback');
  }
}

function proveSettings(database: Database): void {
  const expected: Record<string, unknown> = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    trusted_schema: 0,
    recursive_triggers: 1,
    secure_delete: 1,
    wal_autocheckpoint: 4_000,
    busy_timeout: 0,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found: unknown = database.pragma(name, { simple: true });
    if (found !== value) throw new Error(`The database setting ${name} is ${String(found)}, not ${String(value)}.`);
  }
}

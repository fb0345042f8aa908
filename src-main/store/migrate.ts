import type { Database } from 'better-sqlite3';
import { initial } from './migrations/00010-initial.ts';
import { search } from './migrations/00020-search.ts';
import { record } from './migrations/00030-record.ts';
import { endReasons } from './migrations/00040-end-reasons.ts';
import { spend } from './migrations/00050-spend.ts';
import { people } from './migrations/00060-people.ts';
import { decisionOrigin } from './migrations/00070-decision-origin.ts';
import { receipts } from './migrations/00080-receipts.ts';
import { unpricedAnswers } from './migrations/00090-unpriced-answers.ts';
import type { Statements } from './statements.ts';

/** One step of the schema. `version` is the number of its file: tens, so that a fix can be put between. */
interface Migration {
  version: number;
  sql: string;
}

/** In order. A released migration is frozen: a test keeps its hash. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 10, sql: initial },
  { version: 20, sql: search },
  { version: 30, sql: record },
  { version: 40, sql: endReasons },
  { version: 50, sql: spend },
  { version: 60, sql: people },
  { version: 70, sql: decisionOrigin },
  { version: 80, sql: receipts },
  { version: 90, sql: unpricedAnswers },
];

export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/** Marks our files (`CSGN`), so that nobody else's database is ever taken for one. */
export const APPLICATION_ID = 0x4353474e;

/** The file is a database, but not one of ours. */
export class ForeignDatabaseError extends Error {
  constructor() {
    super('This file is a database of another program. Name a Countersign database with --db; nothing was changed.');
    this.name = 'ForeignDatabaseError';
  }
}

/** Faults: `ForeignDatabaseError` for a file with content that is not ours. Changes nothing. */
export function refuseForeign(database: Database): void {
  // One statement sees one moment: another first start may be making the file right now.
  const isForeign = database
    .prepare(
      `select (select application_id from pragma_application_id) <> ${APPLICATION_ID}
         and ((select count(*) from sqlite_schema) > 0 or (select user_version from pragma_user_version) <> 0)`,
    )
    .pluck()
    .get();
  if (isForeign === 1) throw new ForeignDatabaseError();
}

/** The file was written by a newer release than this one. */
export class NewerDatabaseError extends Error {
  constructor(found: number) {
    super(
      `This database has schema version ${found}, this release knows ${SCHEMA_VERSION}. ` +
        'Start the newer release that wrote it; nothing was changed.',
    );
    this.name = 'NewerDatabaseError';
  }
}

/** `user_version` is the cursor of the migrations. */
export function schemaVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

/** Faults: `NewerDatabaseError` when a newer release migrated the file while this process had it open. */
export function assertCurrentSchema(statements: Statements): void {
  // Asked once a transition: `Database.pragma` would prepare its statement anew each time.
  const version = statements.get('pragma user_version').pluck().get() as number;
  if (version !== SCHEMA_VERSION) throw new NewerDatabaseError(version);
}

/** Faults: `NewerDatabaseError` when a newer release wrote the file. Changes nothing. */
export function refuseNewer(database: Database): void {
  const version = schemaVersion(database);
  if (version > SCHEMA_VERSION) throw new NewerDatabaseError(version);
}

/**
 * Brings the schema to SCHEMA_VERSION, one immediate transaction per step, so that
 * two starts at once migrate once. Safe to call on every open.
 * Faults: `NewerDatabaseError`; SQLITE_BUSY when another process holds the lock.
 */
export function migrate(database: Database): void {
  for (;;) {
    refuseNewer(database);
    const version = schemaVersion(database);
    const next = MIGRATIONS.find((migration) => migration.version > version);
    if (!next) return;
    database
      .transaction(() => {
        if (schemaVersion(database) !== version) return;
        database.exec(next.sql);
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${next.version}`);
      })
      .immediate();
  }
}

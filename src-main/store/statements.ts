import type { Database, Statement } from 'better-sqlite3';

/**
 * Prepares each text once per connection. Where a bound value is compared with the first column of a key and the rest
 * of the key orders the rows, it is written `+?`: without the sign SQLite plans the statement anew for every value,
 * which takes longer than running it.
 */
export class Statements {
  readonly database: Database;
  readonly #prepared = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  get(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

import type { Database, Statement } from 'better-sqlite3';

/** Prepares each text once per connection. */
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

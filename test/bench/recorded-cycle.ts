import type { Database } from 'better-sqlite3';

/** A writing statement as the product ran it. */
export interface RecordedStatement {
  sql: string;
  /** Named parameters as an object, positional ones as a list. */
  parameters: Record<string, unknown> | unknown[];
}

/** What one change of a run wrote, in order; `kind` is its name in the log of changes. */
export interface RecordedChange {
  kind: string;
  statements: RecordedStatement[];
}

const WRITES = /^\s*(insert|update|delete)\b/i;

/**
 * Lets a connection remember what it writes while `work` runs, change by change. The upsert of the chain's head belongs to
 * a transaction, not to a change, and the signing key to an installation; both are left out. A signed head follows its change.
 */
export async function recordChanges(database: Database, work: () => Promise<unknown>): Promise<RecordedChange[]> {
  const changes: RecordedChange[] = [];
  let statements: RecordedStatement[] = [];
  const remember = (sql: string, given: unknown[]): void => {
    if (/into (chain_head|signing_key)/i.test(sql)) return;
    const parameters = isNamed(given[0]) ? given[0] : given;
    if (/into heads/i.test(sql)) {
      changes.at(-1)?.statements.push({ sql, parameters });
      return;
    }
    statements.push({ sql, parameters });
    if (!/into changes/i.test(sql) || Array.isArray(parameters)) return;
    changes.push({ kind: String(parameters['kind']), statements });
    statements = [];
  };
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    if (!WRITES.test(sql)) return statement;
    const { run, get } = statement;
    statement.run = (...given) => {
      remember(sql, given);
      return run.apply(statement, given);
    };
    statement.get = (...given) => {
      remember(sql, given);
      return get.apply(statement, given);
    };
    return statement;
  }) as typeof database.prepare;
  try {
    await work();
  } finally {
    database.prepare = prepare;
  }
  return changes;
}

const isNamed = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value);

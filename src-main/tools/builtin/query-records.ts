import { Type } from 'typebox';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed, refuse, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { withDatabase } from './foreign-database.ts';
import { guardQuery } from './query-guard.ts';
import { DatabaseName } from './record-arguments.ts';
import { type StoredValue, toJson } from './stored-values.ts';

/** Most rows in one answer. */
const MAX_ROWS = 1_000;
/** Most bytes of rows in one answer; leaves room for the other lines below the bound of a result. */
const MAX_BYTES = 48_000;
/** Longest text of one value, in characters; get_record shows more. */
const MAX_VALUE_LENGTH = 4_000;

function query(connection: SqliteConnection, sql: string): Checked<string> {
  const guarded = guardQuery(sql, {
    functions: readNames(connection, 'select name from pragma_function_list'),
    modules: readNames(connection, 'select name from pragma_module_list'),
  });
  if (!guarded.ok) return guarded;
  try {
    const statement = connection.prepare(sql);
    // SQLite's own word on it: the guard reads text, this reads the compiled program.
    if (!statement.reader || !statement.readonly)
      return refuse('This statement does not only read. Use the write tools.');
    const columns = statement.columns().map((column) => column.name);
    return passed(answer(columns, readRows(statement.raw().safeIntegers().iterate() as Iterable<StoredValue[]>)));
  } catch (error) {
    const refusal = explainQuery(error, sql);
    if (!refusal) throw error;
    return refusal;
  }
}

interface Rows {
  /** One JSON array each. */
  lines: string[];
  hasMore: boolean;
}

/** One JSON object, a row a line so that people and models can count them. */
function answer(columns: string[], { lines, hasMore }: Rows): string {
  const note = hasMore
    ? `,"more":"more rows exist; only the first ${lines.length} are shown. Use LIMIT and OFFSET, or fewer columns"`
    : '';
  return `{"columns":${JSON.stringify(columns)},"rows":[\n${lines.join(',\n')}\n],"rowCount":${lines.length}${note}}`;
}

function readRows(rows: Iterable<StoredValue[]>): Rows {
  const lines: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const line = JSON.stringify(row.map((value) => shorten(toJson(value))));
    bytes += Buffer.byteLength(line) + 1;
    if (lines.length >= MAX_ROWS || (bytes > MAX_BYTES && lines.length > 0)) {
      return { lines, hasMore: true };
    }
    lines.push(line);
  }
  return { lines, hasMore: false };
}

function shorten(value: string | number | null): string | number | null {
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  const start = value.slice(0, MAX_VALUE_LENGTH).toWellFormed();
  return `${start} [cut; ${value.length} characters, use get_record for all]`;
}

function explainQuery(error: unknown, sql: string): ReturnType<typeof fail> | null {
  const code = (error as { code?: unknown }).code;
  if (error instanceof RangeError) return refuse('Send exactly one SELECT statement.');
  switch (code) {
    case 'SQLITE_ERROR':
      return fail(`${nameProblem((error as Error).message, sql)} describe_records shows tables and columns.`);
    case 'SQLITE_READONLY':
    case 'SQLITE_AUTH':
      return refuse('This statement does not only read. Use the write tools.');
    case 'SQLITE_TOOBIG':
    case 'SQLITE_NOMEM':
      return fail('The query makes values that are too large. Ask for less.');
    case 'SQLITE_MISMATCH':
    case 'SQLITE_RANGE':
      return fail('The query uses a value of the wrong type.');
    default:
      return null;
  }
}

/** Our own sentence for the usual mistakes. Of SQLite's text only a piece is repeated that the model wrote itself. */
function nameProblem(message: string, sql: string): string {
  const [, kind, name] = /^no such (table|column|function): (.+)$/.exec(message) ?? [];
  if (kind && name && sql.includes(name)) return `There is no ${kind} "${name}".`;
  const near = /^near "(.+)": syntax error$/.exec(message)?.[1];
  if (near && sql.includes(near)) return `The query has a syntax error near "${near}".`;
  return 'SQLite does not accept this query.';
}

function readNames(connection: SqliteConnection, sql: string): Set<string> {
  return new Set((connection.prepare(sql).pluck().all() as string[]).map((name) => name.toLowerCase()));
}

/** Runs one SELECT. */
export const queryRecords = defineTool({
  name: 'query_records',
  description:
    'Run one SQLite SELECT on a database, at most 1,000 rows and 5 seconds. The answer is a JSON object: columns, rows (a list of values each), rowCount, and more when more rows exist.',
  parameters: Type.Object(
    {
      database: DatabaseName,
      sql: Type.String({
        minLength: 1,
        maxLength: 20_000,
        description: 'One SELECT statement, values written into it.',
      }),
    },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'records',
  execute: (args, context) => {
    const content = withDatabase(context, args.database, 'read', (connection) => query(connection, args.sql));
    return content.ok ? { outcome: 'ok', content: content.value, write: null } : resultOf(content);
  },
});

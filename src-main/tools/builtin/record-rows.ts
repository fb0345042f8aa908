import type { RecordKey } from '../../../src-shared/write-target.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed } from '../checked.ts';
import { quoteName } from './sql-tokens.ts';
import {
  type Affinity,
  type FieldValue,
  InvalidText,
  type StoredRow,
  type StoredValue,
  exactForm,
  keyCandidates,
  toBinding,
  toJson,
} from './stored-values.ts';
import { type TableInfo, findColumn, keyCondition, selectedNames } from './table-info.ts';

/** The values of a record's key, in the order of the key. */
export type StoredKey = StoredValue[];

/**
 * Reads the candidates for a key from the arguments of a call: for each key column
 * all stored values that are shown this way.
 * Refuses: anything but exactly the key columns of the table.
 */
export function readKey(table: TableInfo, key: Record<string, FieldValue>): Checked<StoredValue[][]> {
  const given = new Map(Object.entries(key).map(([name, value]) => [name.toLowerCase(), value]));
  const needed = table.key.map((name) => name.toLowerCase());
  if (given.size !== needed.length || needed.some((name) => !given.has(name))) {
    return fail(`The key of "${table.name}" is ${table.key.join(', ')}. Give exactly that.`);
  }
  const columns: StoredValue[][] = [];
  for (const name of table.key) {
    const value = given.get(name.toLowerCase()) ?? null;
    if (typeof value === 'boolean') return fail(`The key ${name} is not true or false.`);
    const affinity: Affinity = findColumn(table, name)?.affinity ?? 'integer';
    const candidates = keyCandidates(value, affinity, name);
    if (!candidates.ok) return candidates;
    columns.push(candidates.value);
  }
  return passed(columns);
}

/** Finds the one record a key names; null = there is none. Refuses: a key that fits several records. */
export function findRow(
  connection: SqliteConnection,
  table: TableInfo,
  candidates: StoredValue[][],
): Checked<StoredRow | null> {
  const found = new Map<string, StoredRow>();
  for (const key of combinations(candidates)) {
    for (const row of readRows(connection, table, key)) found.set(rowIdentity(table, row), row);
    // Two rows of one old table may share a key with NULL in it; the identity above cannot tell them apart.
    if (countRows(connection, table, key) > 1) return ambiguous(table);
  }
  if (found.size > 1) return ambiguous(table);
  return passed([...found.values()][0] ?? null);
}

function ambiguous(table: TableInfo): Checked<never> {
  return fail(`This key fits more than one record of "${table.name}", so it is not clear which one is meant.`);
}

function rowIdentity(table: TableInfo, row: StoredRow): string {
  return JSON.stringify(keyOf(table, row).map(exactForm));
}

/** The key of a row, as stored. */
export function keyOf(table: TableInfo, row: StoredRow): StoredKey {
  return table.key.map((name) => row.get(name) ?? null);
}

/** A stored key as plain JSON. */
export function keyToJson(table: TableInfo, key: StoredKey): RecordKey {
  return Object.fromEntries(table.key.map((name, index) => [name, toJson(key[index] ?? null)]));
}

/** The row with exactly this stored key, or null. */
export function readRow(connection: SqliteConnection, table: TableInfo, key: StoredKey): StoredRow | null {
  return readRows(connection, table, key)[0] ?? null;
}

function countRows(connection: SqliteConnection, table: TableInfo, key: StoredKey): number {
  const sql = `select count(*) from (select 1 from ${quoteName(table.name)} where ${keyCondition(table)} limit 2)`;
  return connection.prepare(sql).pluck().get(key.map(toBinding)) as number;
}

function readRows(connection: SqliteConnection, table: TableInfo, key: StoredKey): StoredRow[] {
  const names = selectedNames(table);
  const condition = keyCondition(table);
  const select = (columns: string[]): unknown[] | undefined =>
    connection
      .prepare(`select ${columns.join(', ')} from ${quoteName(table.name)} where ${condition} limit 1`)
      .raw()
      .safeIntegers()
      .get(key.map(toBinding)) as unknown[] | undefined;
  const values = select(names.map(quoteName));
  if (!values) return [];
  const row = new Map(names.map((name, index) => [name, (values[index] ?? null) as StoredValue]));
  const suspicious = names.filter((name) => isReplaced(row.get(name) ?? null));
  if (suspicious.length > 0) {
    const encoding = encodingOf(connection);
    const bytes = select(suspicious.map((name) => `cast(${quoteName(name)} as blob)`)) ?? [];
    for (const [index, name] of suspicious.entries()) {
      const text = row.get(name) as string;
      const raw = bytes[index] as Buffer;
      if (!encodeText(text, encoding).equals(raw)) row.set(name, new InvalidText(text, raw));
    }
  }
  return [row];
}

/** The driver decodes bytes that are not text into U+FFFD; only the bytes tell whether that character was stored. */
function isReplaced(value: StoredValue): boolean {
  return typeof value === 'string' && value.includes('\uFFFD');
}

/** The text encoding of a file: `UTF-8`, `UTF-16le` or `UTF-16be`. */
export function encodingOf(connection: SqliteConnection): string {
  return connection.pragma('encoding', { simple: true }) as string;
}

function encodeText(text: string, encoding: string): Buffer {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'UTF-16be' ? bytes.swap16() : bytes;
}

function combinations(columns: StoredValue[][]): StoredKey[] {
  return columns.reduce<StoredKey[]>(
    (keys, candidates) => keys.flatMap((key) => candidates.map((candidate) => [...key, candidate])),
    [[]],
  );
}

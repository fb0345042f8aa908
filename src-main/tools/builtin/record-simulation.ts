import type { Overlay, ToolContext } from '../../domain/tool.ts';
import { type SqliteConnection, openSqlite } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed } from '../checked.ts';
import { realPathOf } from '../protected-paths.ts';
import { explainConstraint } from './constraint-text.ts';
import { type StoredKey, encodingOf, findRow, keyOf, readKey, readRow } from './record-rows.ts';
import { quoteName } from './sql-tokens.ts';
import {
  type FieldValue,
  InvalidText,
  type StoredRow,
  type StoredValue,
  exactForm,
  toBinding,
} from './stored-values.ts';
import { type TableInfo, findColumn } from './table-info.ts';

/** A record as an earlier call of the turn would leave it; null = deleted. */
export interface SimulatedRecord {
  key: StoredKey;
  row: StoredRow | null;
}

/** The simulated records of one table. Two names for one file are one place. */
export interface SimulatedTable {
  find(key: StoredKey): SimulatedRecord | undefined;
  set(key: StoredKey, row: StoredRow | null): void;
  all(): SimulatedRecord[];
}

/** The part of a turn's overlay that belongs to one table. */
export function simulatedTable(
  context: ToolContext,
  database: string,
  table: string,
  overlay: Overlay,
): SimulatedTable {
  const path = context.databases.find((each) => each.name === database)?.path ?? database;
  const place = `record:${JSON.stringify([realPathOf(path), table.toLowerCase()])}`;
  const records =
    (overlay.get(place) as Map<string, SimulatedRecord> | undefined) ?? new Map<string, SimulatedRecord>();
  const name = (key: StoredKey): string => JSON.stringify(key.map(exactForm));
  return {
    find: (key) => records.get(name(key)),
    set: (key, row) => {
      records.set(name(key), { key, row });
      overlay.set(place, records);
    },
    all: () => [...records.values()],
  };
}

/**
 * The record a call names: as an earlier call of the turn would leave it, else as it
 * is stored; `row` null = it does not exist. The key comes as the file stores it.
 */
export function lookUp(
  connection: SqliteConnection,
  table: TableInfo,
  key: Record<string, FieldValue>,
  simulated: SimulatedTable,
): Checked<SimulatedRecord> {
  const candidates = readKey(table, key);
  if (!candidates.ok) return candidates;
  const found = findRow(connection, table, candidates.value);
  if (!found.ok) return found;
  const given = candidates.value.map((each) => each[0] ?? null);
  const storedKey = found.value ? keyOf(table, found.value) : convertKey(table, given);
  return passed(simulated.find(storedKey) ?? { key: storedKey, row: found.value });
}

/** What the key columns would make of these values, asked of SQLite itself in memory. */
function convertKey(table: TableInfo, key: StoredKey): StoredKey {
  const memory = openSqlite(':memory:');
  try {
    const types = table.key.map((name) => findColumn(table, name)?.affinity ?? 'integer');
    memory.exec(`create table k (${types.map((type, index) => `c${index} ${type}`).join(', ')})`);
    memory.prepare(`insert into k values (${types.map(() => '?').join(', ')})`).run(key.map(toBinding));
    return memory.prepare('select * from k').raw().safeIntegers().get() as StoredKey;
  } finally {
    memory.close();
  }
}

/**
 * The row after a change, computed by SQLite itself: the table is made anew in
 * memory from its own statement, so that type affinity, defaults, generated columns,
 * NOT NULL and CHECK work as in the file, while the file is neither locked nor
 * touched and no trigger fires.
 * Refuses: values that break a rule of the table.
 */
export function simulateUpdate(
  source: SqliteConnection,
  table: TableInfo,
  row: StoredRow,
  changes: ReadonlyMap<string, StoredValue>,
): Checked<StoredRow> {
  return inMemory(source, table, (memory) => {
    // What is stored now may be older than the rule it breaks; only the change is judged.
    memory.pragma('ignore_check_constraints = on');
    insert(memory, table, row);
    memory.pragma('ignore_check_constraints = off');
    const assignments = [...changes.keys()].map((name) => `${quoteName(name)} = ?`).join(', ');
    memory.prepare(`update ${quoteName(table.name)} set ${assignments}`).run([...changes.values()].map(toBinding));
    return soleRow(memory, table);
  });
}

/** The row that inserting these values would make, defaults filled in; see `simulateUpdate`. A generated key is not the real one. */
export function simulateInsert(
  source: SqliteConnection,
  table: TableInfo,
  values: ReadonlyMap<string, StoredValue>,
): Checked<StoredRow> {
  return inMemory(source, table, (memory) => {
    insert(memory, table, values);
    return soleRow(memory, table);
  });
}

function inMemory(
  source: SqliteConnection,
  table: TableInfo,
  work: (memory: SqliteConnection) => StoredRow,
): Checked<StoredRow> {
  const memory = openSqlite(':memory:');
  try {
    memory.pragma('trusted_schema = off');
    memory.pragma('foreign_keys = off');
    memory.pragma(`encoding = '${encodingOf(source)}'`);
    // One statement that makes a table, or nothing: the text comes from somebody else's file.
    if (!/^\s*create\s+table\b/i.test(table.sql)) return fail(`The shape of "${table.name}" cannot be read.`);
    memory.prepare(table.sql).run();
    return passed(work(memory));
  } catch (error) {
    const refusal = explainConstraint(error, table.name);
    if (refusal) return refusal;
    throw error;
  } finally {
    memory.close();
  }
}

function insert(memory: SqliteConnection, table: TableInfo, values: ReadonlyMap<string, StoredValue>): void {
  const written = [...values].filter(([name]) => findColumn(table, name)?.isGenerated !== true);
  if (written.length === 0) {
    memory.prepare(`insert into ${quoteName(table.name)} default values`).run();
    return;
  }
  const names = written.map(([name]) => quoteName(name)).join(', ');
  // Bytes that are not text stay bytes, but with the storage class text.
  const places = written.map(([, value]) => (value instanceof InvalidText ? 'cast(? as text)' : '?')).join(', ');
  memory
    .prepare(`insert into ${quoteName(table.name)} (${names}) values (${places})`)
    .run(written.map(([, value]) => toBinding(value)));
}

function soleRow(memory: SqliteConnection, table: TableInfo): StoredRow {
  const names = table.key.map(quoteName).join(', ');
  const key = memory
    .prepare(`select ${names} from ${quoteName(table.name)} limit 1`)
    .raw()
    .safeIntegers()
    .get() as StoredKey;
  const row = readRow(memory, table, key);
  if (!row) throw new Error('The simulated row cannot be read back');
  return row;
}

import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, type ToolRefusal, fail, passed } from '../checked.ts';
import type { SimulatedTable } from './record-simulation.ts';
import type { StoredKey } from './record-rows.ts';
import { quoteName } from './sql-tokens.ts';
import { type FieldValue, type StoredRow, type StoredValue, toBinding, toJson, toStored } from './stored-values.ts';
import { type TableInfo, findColumn, keyCondition } from './table-info.ts';

/**
 * Reads the fields a call writes into stored values, under the names of the table.
 * Refuses: unknown columns (naming the valid ones), generated columns, the same column
 * twice, and empty values for columns that must not be empty.
 */
export function readFields(table: TableInfo, values: Record<string, FieldValue>): Checked<Map<string, StoredValue>> {
  const fields = new Map<string, StoredValue>();
  for (const [name, value] of Object.entries(values)) {
    const column = findColumn(table, name);
    if (!column) return fail(`"${table.name}" has no column "${name}". ${writableNames(table)}`);
    if (column.isGenerated) {
      return fail(`"${column.name}" is computed by the database and cannot be written. ${writableNames(table)}`);
    }
    if (fields.has(column.name)) return fail(`The column "${column.name}" is given twice.`);
    if (value === null && column.isNotNull && !isRowidAlias(table, column.name)) {
      return fail(`"${column.name}" must not be empty (NOT NULL).`);
    }
    const stored = toStored(value, column.affinity, `"${column.name}"`);
    if (!stored.ok) return stored;
    fields.set(column.name, stored.value);
  }
  if (fields.size === 0) return fail(`Give at least one column. ${writableNames(table)}`);
  return passed(fields);
}

function writableNames(table: TableInfo): string {
  const names = table.columns.filter((column) => !column.isGenerated).map((column) => column.name);
  return `Columns that can be written: ${names.join(', ')}.`;
}

/** Whether a column is another name of the row id (`integer primary key`), so that SQLite numbers it itself. */
export function isRowidAlias(table: TableInfo, name: string): boolean {
  const column = findColumn(table, name);
  return (
    column !== null &&
    table.hasRowid &&
    table.rowidName === null &&
    table.key.length === 1 &&
    table.key[0] === column.name &&
    column.declaredType.toUpperCase() === 'INTEGER'
  );
}

interface UniqueIndex {
  columns: { name: string; collation: string }[];
}

/**
 * Finds a unique rule that a row would break because of another record. Rules over
 * expressions or a part of the table, and records an earlier call of the turn changes,
 * are left to the database at execution.
 */
export function findConflict(
  connection: SqliteConnection,
  table: TableInfo,
  row: StoredRow,
  key: StoredKey | null,
  changed: ReadonlySet<string>,
  simulated: SimulatedTable,
): ToolRefusal | null {
  for (const index of uniqueIndexes(connection, table)) {
    if (!index.columns.some((column) => changed.has(column.name))) continue;
    const values = index.columns.map((column) => row.get(column.name) ?? null);
    // NULL equals nothing in a unique rule.
    if (values.includes(null)) continue;
    const condition = index.columns.map((each) => `${quoteName(each.name)} = ? collate ${quoteName(each.collation)}`);
    const others = key ? ` and not (${keyCondition(table)})` : '';
    const found = connection
      .prepare(
        `select ${table.key.map(quoteName).join(', ')} from ${quoteName(table.name)}
         where ${condition.join(' and ')}${others} limit 1`,
      )
      .raw()
      .safeIntegers()
      .get([...values, ...(key ?? [])].map(toBinding)) as StoredKey | undefined;
    if (!found || simulated.find(found)) continue;
    const columns = index.columns.map((each) => each.name).join(', ');
    return fail(
      `Record ${found.map((each) => String(toJson(each))).join(', ')} already has this ${columns}, which must be unique.`,
    );
  }
  return null;
}

function uniqueIndexes(connection: SqliteConnection, table: TableInfo): UniqueIndex[] {
  const names = connection
    .prepare(`select name from pragma_index_list(?) where "unique" = 1 and partial = 0 order by name`)
    .pluck()
    .all(table.name) as string[];
  const columnsOf = connection.prepare(
    `select name, coll as collation from pragma_index_xinfo(?) where key = 1 order by seqno`,
  );
  return names
    .map((name) => ({ columns: columnsOf.all(name) as { name: string | null; collation: string }[] }))
    .filter((index): index is UniqueIndex => index.columns.every((column) => column.name !== null));
}

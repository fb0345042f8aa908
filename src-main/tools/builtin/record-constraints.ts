import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, type ToolRefusal, fail, passed } from '../checked.ts';
import type { SimulatedTable } from './record-simulation.ts';
import type { StoredKey } from './record-rows.ts';
import { quoteName } from './sql-tokens.ts';
import { type FieldValue, type StoredRow, type StoredValue, toBinding, toJson, toStored } from './stored-values.ts';
import { type TableInfo, findColumn, keyCondition } from './table-info.ts';

/**
 * The sentence for a rule of the table that a write breaks; null = the error is
 * something else. SQLite's own text is never used: what stands in it is not ours.
 */
export function explainConstraint(error: unknown, table: string): ToolRefusal | null {
  const hint = `describe_records for "${table}" shows the rules.`;
  switch ((error as { code?: unknown } | null)?.code) {
    case 'SQLITE_CONSTRAINT_CHECK':
      return fail(`A check rule of "${table}" does not allow these values. ${hint}`);
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return fail(`A column of "${table}" that must not be empty would be empty. ${hint}`);
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return fail(`Another record of "${table}" already has a value that must be unique. ${hint}`);
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return fail(`Records that refer to each other would no longer fit together (foreign key). ${hint}`);
    case 'SQLITE_CONSTRAINT_TRIGGER':
      return fail(`A trigger of "${table}" does not allow this change. ${hint}`);
    case 'SQLITE_CONSTRAINT_DATATYPE':
    case 'SQLITE_MISMATCH':
      return fail(`A value does not fit the declared type of its column in "${table}". ${hint}`);
    case 'SQLITE_TOOBIG':
      return fail('A value is larger than SQLite can store.');
    default:
      return null;
  }
}

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

import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed, refuse } from '../checked.ts';
import { quoteName } from './sql-tokens.ts';
import { type Affinity, affinityOf } from './stored-values.ts';

/** One column that can be read; `isGenerated` ones cannot be written. */
export interface Column {
  name: string;
  declaredType: string;
  affinity: Affinity;
  isNotNull: boolean;
  /** SQL text of the default, or null. */
  defaultSql: string | null;
  isGenerated: boolean;
}

/** What the record tools must know about a table. */
export interface TableInfo {
  name: string;
  kind: 'table' | 'view' | 'virtual' | 'shadow';
  /** The statement that made it. */
  sql: string;
  isStrict: boolean;
  hasRowid: boolean;
  columns: Column[];
  /** Names that identify a record: the declared key in its order, else the row id. */
  key: string[];
  /** Set when `key` is the row id: a name for it that no column hides. */
  rowidName: string | null;
}

interface ListedTable {
  name: string;
  type: TableInfo['kind'];
  wr: number;
  strict: number;
}

/** All tables and views of a file that belong to its owner, by name. */
export function listTables(connection: SqliteConnection): ListedTable[] {
  return connection
    .prepare(
      `select name, type, wr, strict from pragma_table_list
       where schema = 'main' and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
    .all() as ListedTable[];
}

/** Reads the shape of a table. Refuses: names that do not exist (naming those that do) and tables of SQLite itself. */
export function readTable(connection: SqliteConnection, wanted: string): Checked<TableInfo> {
  if (/^sqlite_/i.test(wanted)) return refuse(`"${wanted}" belongs to SQLite itself; choose another table.`);
  const listed = listTables(connection);
  const found =
    listed.find((each) => each.name === wanted) ??
    listed.find((each) => each.name.toLowerCase() === wanted.toLowerCase());
  if (!found) {
    const names = listed.map((each) => each.name).slice(0, 50);
    return fail(`There is no table "${wanted}". Tables: ${names.join(', ') || 'none'}.`);
  }
  const sql = connection
    .prepare(`select sql from sqlite_schema where name = ? and type in ('table', 'view')`)
    .pluck()
    .get(found.name) as string | null | undefined;
  const { columns, primaryKey } = readColumns(connection, found);
  const hasRowid = found.wr === 0 && found.type === 'table';
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  const rowidName =
    primaryKey.length === 0 && hasRowid ? (['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each)) ?? null) : null;
  return passed({
    name: found.name,
    kind: found.type,
    sql: sql ?? '',
    isStrict: found.strict === 1,
    hasRowid,
    columns,
    key: rowidName ? [rowidName] : primaryKey,
    rowidName,
  });
}

interface ListedColumn {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
  hidden: number;
}

function readColumns(connection: SqliteConnection, table: ListedTable): { columns: Column[]; primaryKey: string[] } {
  const listed = connection
    .prepare(`select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)`)
    .all(table.name) as ListedColumn[];
  const columns = listed
    // 1 = a hidden column of a virtual table; 2 and 3 are generated ones.
    .filter((column) => column.hidden !== 1)
    .map((column) => ({
      name: column.name,
      declaredType: column.type,
      affinity: affinityOf(column.type, table.strict === 1),
      isNotNull: column.notnull === 1,
      defaultSql: column.dflt_value,
      isGenerated: column.hidden !== 0,
    }));
  const primaryKey = listed
    .filter((column) => column.pk > 0)
    .toSorted((left, right) => left.pk - right.pk)
    .map((column) => column.name);
  return { columns, primaryKey };
}

/** As `readTable`, for a table that will be written. Refuses: views, virtual and shadow tables, tables whose records have no name. */
export function readWritableTable(connection: SqliteConnection, wanted: string): Checked<TableInfo> {
  const table = readTable(connection, wanted);
  if (!table.ok) return table;
  const { name, kind, key } = table.value;
  if (kind === 'view') return refuse(`"${name}" is a view; change the table it reads from.`);
  if (kind === 'virtual' || kind === 'shadow') {
    return refuse(`"${name}" is kept by an extension of SQLite and cannot be changed record by record.`);
  }
  if (key.length === 0) return refuse(`Records of "${name}" cannot be told apart, so none can be changed.`);
  return table;
}

/** The column with this name, letter case ignored as SQLite does. Null = there is none. */
export function findColumn(table: TableInfo, name: string): Column | null {
  const lower = name.toLowerCase();
  return (
    table.columns.find((column) => column.name === name) ??
    table.columns.find((column) => column.name.toLowerCase() === lower) ??
    null
  );
}

/** The list of columns for a SELECT, the row id first where it is the key. */
export function selectedNames(table: TableInfo): string[] {
  const names = table.columns.map((column) => column.name);
  return table.rowidName ? [table.rowidName, ...names] : names;
}

/** `"a" is ? and "b" is ?` over the key. IS, because a declared key may hold NULL in old tables. */
export function keyCondition(table: TableInfo): string {
  return table.key.map((name) => `${quoteName(name)} is ?`).join(' and ');
}

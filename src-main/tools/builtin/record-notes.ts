import { realPathOf } from '../protected-paths.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import type { SimulatedTable } from './record-simulation.ts';
import { readRow } from './record-rows.ts';
import { type SqlToken, quoteName, tokenizeSql } from './sql-tokens.ts';
import {
  InvalidText,
  type StoredRow,
  type StoredValue,
  isSameValue,
  storageClass,
  toBinding,
} from './stored-values.ts';
import { type TableInfo, readTable } from './table-info.ts';

/** A trigger of a table: when it fires and which tables it writes to. */
export interface Trigger {
  name: string;
  timing: 'before' | 'after' | 'instead of';
  event: 'insert' | 'update' | 'delete';
  /** Only updates of these columns fire it; null = any. */
  columns: string[] | null;
  writes: string[];
  sql: string;
}

/** Reads the triggers of a table, by name. */
export function readTriggers(connection: SqliteConnection, table: string): Trigger[] {
  const rows = connection
    .prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ? collate nocase order by name`)
    .all(table) as { name: string; sql: string }[];
  return rows.map(({ name, sql }) => ({ name, sql, ...parseTrigger(tokenizeSql(sql)) }));
}

function parseTrigger(tokens: SqlToken[]): Omit<Trigger, 'name' | 'sql'> {
  const words = tokens.map((token) => (token.kind === 'word' ? token.text.toLowerCase() : ''));
  const eventAt = words.findIndex((word) => word === 'insert' || word === 'update' || word === 'delete');
  const head = words.slice(0, eventAt);
  const onAt = words.indexOf('on', eventAt);
  const isColumnList = words[eventAt + 1] === 'of';
  const names = tokens.slice(eventAt + 2, onAt).filter((token) => token.kind !== 'symbol');
  const bodyAt = words.indexOf('begin', onAt);
  return {
    timing: head.includes('instead') ? 'instead of' : head.includes('before') ? 'before' : 'after',
    event: (words[eventAt] ?? 'update') as Trigger['event'],
    columns: isColumnList ? names.map((token) => token.text) : null,
    writes: writtenTables(tokens.slice(bodyAt), words.slice(bodyAt)),
  };
}

/** Tables named after INSERT/REPLACE INTO, UPDATE and DELETE FROM. */
function writtenTables(tokens: SqlToken[], words: string[]): string[] {
  const tables = new Set<string>();
  for (const [index, word] of words.entries()) {
    const isUpdate = word === 'update' && words[index - 1] !== 'do';
    const isOther =
      (word === 'into' || word === 'from') &&
      /^(insert|replace|delete|or|abort|ignore|fail|rollback)$/.test(words[index - 1] ?? '');
    if (!isUpdate && !isOther) continue;
    const at = words[index + 1] === 'or' ? index + 3 : index + 1;
    const table = tokens[at];
    if (table) tables.add(table.text);
  }
  return [...tables].toSorted();
}

/** The real path of the file, the table's declaration and the full text of its triggers, by name: part of every footprint. */
export function tableRules(connection: SqliteConnection, table: TableInfo): string[] {
  const triggers = connection
    .prepare(`select sql from sqlite_schema where type = 'trigger' and tbl_name = ? collate nocase order by name`)
    .pluck()
    .all(table.name) as string[];
  return [realPathOf(connection.name), table.sql, ...triggers];
}

/** One sentence per trigger that fires on this action. `changed` limits updates to the columns a call changes. */
export function describeTriggers(
  connection: SqliteConnection,
  table: TableInfo,
  event: Trigger['event'],
  changed: readonly string[] = [],
): string[] {
  const names = new Set(changed.map((name) => name.toLowerCase()));
  return readTriggers(connection, table.name)
    .filter((trigger) => trigger.event === event)
    .filter((trigger) => !trigger.columns || trigger.columns.some((column) => names.has(column.toLowerCase())))
    .map((trigger) => {
      const writes = trigger.writes.length > 0 ? ` and writes to ${trigger.writes.join(', ')}` : '';
      return `Trigger ${trigger.name} runs ${trigger.timing} the ${event}${writes}.`;
    });
}

/** A foreign key of `child` that refers to another table. */
export interface ForeignKey {
  child: string;
  parent: string;
  columns: { from: string; to: string | null }[];
  onUpdate: string;
  onDelete: string;
}

/** Foreign keys that refer to `table`, or that `table` has itself. */
export function readForeignKeys(connection: SqliteConnection, table: string, side: 'parent' | 'child'): ForeignKey[] {
  const rows = connection
    .prepare(
      `select t.name as child, f.id, f."table" as parent, f."from", f."to", f.on_update, f.on_delete
       from pragma_table_list t join pragma_foreign_key_list(t.name) f
       where t.schema = 'main' and ${side === 'parent' ? 'f."table"' : 't.name'} = ? collate nocase
       order by t.name, f.id, f.seq`,
    )
    .all(table) as {
    child: string;
    id: number;
    parent: string;
    from: string;
    to: string | null;
    on_update: string;
    on_delete: string;
  }[];
  const keys = new Map<string, ForeignKey>();
  for (const row of rows) {
    const name = JSON.stringify([row.child, row.id]);
    const key = keys.get(name) ?? {
      child: row.child,
      parent: row.parent,
      columns: [],
      onUpdate: row.on_update,
      onDelete: row.on_delete,
    };
    key.columns.push({ from: row.from, to: row.to });
    keys.set(name, key);
  }
  return [...keys.values()];
}

/** Records of another table that go or change together with a deleted one. */
export interface Consequence {
  table: string;
  columns: string[];
  action: 'delete' | 'clear' | 'refuse';
  count: number;
}

/** What deleting a row does to the records that refer to it, as earlier calls of the turn would leave them. Empty ones are left out. */
export function findConsequences(
  connection: SqliteConnection,
  table: TableInfo,
  row: StoredRow,
  simulated: (table: string) => SimulatedTable,
): Consequence[] {
  return readForeignKeys(connection, table.name, 'parent')
    .map((key) => {
      const columns = key.columns.map((column) => column.from);
      const values = key.columns.map((column, index) => row.get(column.to ?? table.key[index] ?? '') ?? null);
      const action: Consequence['action'] =
        key.onDelete === 'CASCADE' ? 'delete' : key.onDelete.startsWith('SET') ? 'clear' : 'refuse';
      const stored = values.includes(null) ? 0 : countReferring(connection, key.child, columns, values);
      const change = simulatedChange(connection, key.child, columns, values, simulated(key.child));
      return { table: key.child, columns, action, count: stored + change };
    })
    .filter((each) => each.count > 0);
}

function countReferring(connection: SqliteConnection, table: string, columns: string[], values: StoredValue[]): number {
  const condition = columns.map((name) => `${quoteName(name)} = ?`).join(' and ');
  return connection
    .prepare(`select count(*) from ${quoteName(table)} where ${condition}`)
    .pluck()
    .get(values.map(toBinding)) as number;
}

function simulatedChange(
  connection: SqliteConnection,
  name: string,
  columns: string[],
  values: StoredValue[],
  simulated: SimulatedTable,
): number {
  const records = simulated.all();
  if (records.length === 0) return 0;
  const table = readTable(connection, name);
  if (!table.ok) return 0;
  const refers = (row: StoredRow | null): number =>
    row !== null && columns.every((column, index) => isSameValue(row.get(column) ?? null, values[index] ?? null))
      ? 1
      : 0;
  return records.reduce((sum, { key, row }) => sum + refers(row) - refers(readRow(connection, table.value, key)), 0);
}

/** One sentence per consequence. */
export function describeConsequences(consequences: Consequence[]): string[] {
  return consequences.map(({ table, columns, action, count }) => {
    const records = `${count} ${count === 1 ? 'record' : 'records'} of ${table}`;
    const by = `(foreign key ${columns.join(', ')})`;
    if (action === 'delete') return `Also deletes ${records} ${by}, and what depends on them.`;
    if (action === 'clear') return `Also clears ${columns.join(', ')} in ${records} ${by}.`;
    return `${records} refer to this one ${by}: unless they go first, the database will refuse.`;
  });
}

/** Sentences about values that look alike but are stored differently. */
export function describeValues(before: StoredRow | null, after: StoredRow, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const old = before?.get(field) ?? null;
    const value = after.get(field) ?? null;
    const notes: string[] = [];
    if (old instanceof InvalidText) notes.push(`${field} now holds text with damaged characters.`);
    if (old !== null && value !== null && storageClass(old) !== storageClass(value)) {
      notes.push(`The stored type of ${field} changes from ${storageClass(old)} to ${storageClass(value)}.`);
    }
    if (typeof value === 'string' && /^x'[0-9a-f]*'$/i.test(value))
      notes.push(`The new ${field} is this text, not binary data.`);
    return notes;
  });
}

/** Sentences about foreign keys of this table whose new value refers to nothing, and of others that follow a changed value. */
export function describeReferences(
  connection: SqliteConnection,
  table: TableInfo,
  after: StoredRow,
  changed: readonly string[],
): string[] {
  const isChanged = (name: string | null): boolean =>
    name !== null && changed.some((each) => each.toLowerCase() === name.toLowerCase());
  const value = (name: string): StoredValue =>
    [...after].find(([column]) => column.toLowerCase() === name.toLowerCase())?.[1] ?? null;
  const dangling = readForeignKeys(connection, table.name, 'child')
    .filter((key) => key.columns.some((column) => isChanged(column.from)))
    .flatMap((key) => {
      const parent = readTable(connection, key.parent);
      const values = key.columns.map((column) => value(column.from));
      if (values.includes(null)) return [];
      const columns = key.columns.map(
        (column, index) => column.to ?? (parent.ok ? (parent.value.key[index] ?? '') : ''),
      );
      if (parent.ok && countReferring(connection, key.parent, columns, values) > 0) return [];
      return [`No record of ${key.parent} has this ${key.columns.map((each) => each.from).join(', ')} now.`];
    });
  const following = readForeignKeys(connection, table.name, 'parent')
    .filter((key) => key.columns.some((column) => isChanged(column.to)))
    .map((key) => `Records of ${key.child} refer to the changed value (on update: ${key.onUpdate.toLowerCase()}).`);
  return [...dangling, ...following];
}

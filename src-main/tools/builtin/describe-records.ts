import { Type } from 'typebox';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { passed, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { withDatabase } from './foreign-database.ts';
import { DatabaseName, TableName } from './record-arguments.ts';
import { readForeignKeys, readTriggers } from './record-notes.ts';
import { type TableInfo, listTables, readTable } from './table-info.ts';

function describeAll(connection: SqliteConnection): string {
  const lines = listTables(connection)
    .map((listed) => readTable(connection, listed.name))
    .flatMap((table) => (table.ok ? [table.value] : []))
    .map((table) =>
      JSON.stringify({
        table: table.name,
        kind: table.kind,
        key: table.key,
        columns: table.columns.map((column) => column.name),
      }),
    );
  return lines.join('\n') || '[the database has no tables]';
}

function describeOne(connection: SqliteConnection, table: TableInfo): string {
  const columns = table.columns.map((column) => ({
    name: column.name,
    type: column.declaredType,
    ...(column.isNotNull ? { notNull: true } : {}),
    ...(column.defaultSql === null ? {} : { default: column.defaultSql }),
    ...(column.isGenerated ? { generated: true } : {}),
  }));
  const triggers = readTriggers(connection, table.name).map(({ name, timing, event, columns: of, writes }) => ({
    name,
    timing,
    event,
    ...(of ? { of } : {}),
    writes,
  }));
  return JSON.stringify(
    {
      table: table.name,
      kind: table.kind,
      key: table.key,
      ...(table.rowidName ? { keyIsRowId: true } : {}),
      columns,
      foreignKeys: readForeignKeys(connection, table.name, 'child'),
      referredToBy: readForeignKeys(connection, table.name, 'parent'),
      triggers,
      sql: table.sql,
    },
    null,
    1,
  );
}

/** Describes the tables of a database, or one of them in detail. */
export const describeRecords = defineTool({
  name: 'describe_records',
  description:
    'Describe a database: without a table, its tables with keys and columns; with a table, its columns, types, foreign keys, triggers and rules.',
  parameters: Type.Object({ database: DatabaseName, table: Type.Optional(TableName) }, { additionalProperties: false }),
  effect: 'read_only',
  group: 'records',
  execute: (args, context) => {
    const content = withDatabase(context, args.database, 'read', (connection) => {
      if (args.table === undefined) return passed(describeAll(connection));
      const table = readTable(connection, args.table);
      return table.ok ? passed(describeOne(connection, table.value)) : table;
    });
    return content.ok ? { outcome: 'ok', content: content.value, write: null } : resultOf(content);
  },
});

import { Type } from 'typebox';
import { fail, passed, resultOf } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { withDatabase } from './foreign-database.ts';
import { DatabaseName, KeyArgument, TableName } from './record-arguments.ts';
import { findRow, readKey } from './record-rows.ts';
import { toJson } from './stored-values.ts';
import { readTable } from './table-info.ts';

/** Reads one record with all its fields. */
export const getRecord = defineTool({
  name: 'get_record',
  description: 'Read one record of a database with all its fields, by its primary key. The answer is a JSON object.',
  parameters: Type.Object(
    { database: DatabaseName, table: TableName, key: KeyArgument },
    { additionalProperties: false },
  ),
  effect: 'read_only',
  group: 'records',
  execute: (args, context) => {
    const content = withDatabase(context, args.database, 'read', (connection) => {
      const table = readTable(connection, args.table);
      if (!table.ok) return table;
      if (table.value.key.length === 0) return fail(`Records of "${table.value.name}" have no key; use query_records.`);
      const key = readKey(table.value, args.key);
      if (!key.ok) return key;
      const row = findRow(connection, table.value, key.value);
      if (!row.ok) return row;
      if (!row.value) return fail(`There is no such record in "${table.value.name}".`);
      return passed(
        JSON.stringify(Object.fromEntries([...row.value].map(([name, value]) => [name, toJson(value)])), null, 1),
      );
    });
    return content.ok ? { outcome: 'ok', content: content.value, write: null } : resultOf(content);
  },
});

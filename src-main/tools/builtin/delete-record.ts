import { Type, type Static } from 'typebox';
import type { WriteTarget } from '../../../src-shared/write-target.ts';
import type { JsonValue } from '../../domain/json-value.ts';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { fail, passed } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { DatabaseName, KeyArgument, TableName } from './record-arguments.ts';
import {
  type Consequence,
  describeConsequences,
  describeTriggers,
  findConsequences,
  tableRules,
} from './record-notes.ts';
import { type RecordPlan, executeOn, planOn, recordFootprint, refusedRecord } from './record-plan.ts';
import { type StoredKey, keyToJson, readRow } from './record-rows.ts';
import { lookUp, simulatedTable } from './record-simulation.ts';
import { quoteName } from './sql-tokens.ts';
import { type StoredRow, toBinding, toJson } from './stored-values.ts';
import { type TableInfo, keyCondition, readWritableTable } from './table-info.ts';

const Parameters = Type.Object(
  { database: DatabaseName, table: TableName, key: KeyArgument },
  { additionalProperties: false },
);
type Arguments = Static<typeof Parameters>;

function planDelete(args: Arguments, context: ToolContext, connection: SqliteConnection, overlay: Overlay): RecordPlan {
  const found = readWritableTable(connection, args.table);
  if (!found.ok) return refusedRecord(found);
  const table = found.value;
  const simulated = simulatedTable(context, args.database, table.name, overlay);
  const record = lookUp(connection, table, args.key, simulated);
  if (!record.ok) return refusedRecord(record);
  const { key, row } = record.value;
  const target: WriteTarget = {
    kind: 'record',
    database: args.database,
    table: table.name,
    key: keyToJson(table, key),
  };
  const rules = tableRules(connection, table);
  const gone = recordFootprint(target, 'absent', [], rules);
  if (!row) {
    const reason = `There is no such record in "${table.name}", so there is nothing to delete.`;
    return refusedRecord(fail(reason), target, { before: gone, after: gone });
  }
  const consequences = findConsequences(connection, table, row, (name) =>
    simulatedTable(context, args.database, name, overlay),
  );
  simulated.set(key, null);
  return {
    planned: {
      preview: {
        kind: 'record',
        action: 'delete',
        target,
        changes: [...row].map(([field, value]) => ({ field, before: toJson(value) })),
        notes: [...describeConsequences(consequences), ...describeTriggers(connection, table, 'delete')],
      },
      target,
      footprint: { before: wholeRow(target, row, rules, consequences), after: gone },
    },
    kind: 'deleted',
    apply: (open) => applyDelete(open, table, key),
  };
}

/** The whole record, and how many others go or change with it: the person decided about those, too. */
function wholeRow(target: WriteTarget, row: StoredRow, rules: string[], consequences: Consequence[]): string {
  const taken: JsonValue[] = consequences
    .filter((each) => each.action !== 'refuse')
    .map(({ table, columns, action, count }) => ({ table, columns, action, count }));
  return recordFootprint(target, row, [...row.keys()], rules, taken.length > 0 ? taken : null);
}

function applyDelete(
  connection: SqliteConnection,
  table: TableInfo,
  key: StoredKey,
): ReturnType<NonNullable<RecordPlan['apply']>> {
  const { changes } = connection
    .prepare(`delete from ${quoteName(table.name)} where ${keyCondition(table)}`)
    .run(key.map(toBinding));
  if (changes !== 1)
    return fail(`The deletion would have removed ${changes} records instead of one. Nothing was written.`);
  if (readRow(connection, table, key)) return fail('A trigger kept the record. Nothing was written.');
  const jsonKey = keyToJson(table, key);
  return passed({ key: jsonKey, done: `Deleted ${table.name} ${JSON.stringify(jsonKey)}.` });
}

/** Deletes one record. */
export const deleteRecord = defineTool({
  name: 'delete_record',
  description:
    'Delete one record of a database. A person sees the whole record, and how many others go with it, first; if any field changed meanwhile, nothing is deleted.',
  parameters: Parameters,
  effect: 'idempotent_write',
  group: 'records',
  plan: (args, context, overlay) =>
    planOn(context, args.database, overlay, (connection, turn) => planDelete(args, context, connection, turn)),
  execute: (args, context, expected) =>
    executeOn(context, args, expected, (connection, turn) => planDelete(args, context, connection, turn)),
});

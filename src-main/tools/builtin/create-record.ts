import { Type, type Static } from 'typebox';
import type { WriteTarget } from '../../../src-shared/write-target.ts';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { DatabaseName, TableName, ValuesArgument } from './record-arguments.ts';
import { findConflict, isRowidAlias, readFields } from './record-constraints.ts';
import { describeReferences, describeTriggers, describeValues, tableRules } from './record-notes.ts';
import { type RecordPlan, executeOn, planOn, recordFootprint, refusedRecord } from './record-plan.ts';
import { type StoredKey, keyOf, keyToJson, readRow } from './record-rows.ts';
import { simulateInsert, simulatedTable } from './record-simulation.ts';
import { quoteName } from './sql-tokens.ts';
import { type StoredRow, type StoredValue, toBinding, toJson } from './stored-values.ts';
import { type TableInfo, readWritableTable } from './table-info.ts';
import { verifyRow } from './update-record.ts';

const Parameters = Type.Object(
  { database: DatabaseName, table: TableName, values: ValuesArgument },
  { additionalProperties: false },
);
type Arguments = Static<typeof Parameters>;
type Fields = ReadonlyMap<string, StoredValue>;

function planCreate(args: Arguments, context: ToolContext, connection: SqliteConnection, overlay: Overlay): RecordPlan {
  const found = readWritableTable(connection, args.table);
  if (!found.ok) return refusedRecord(found);
  const table = found.value;
  const fields = readFields(table, args.values);
  if (!fields.ok) return refusedRecord(fields);
  const hasKey = hasGivenKey(table, fields.value);
  if (!hasKey.ok) return refusedRecord(hasKey);
  const missing = table.columns.find(
    (column) =>
      column.isNotNull &&
      column.defaultSql === null &&
      !column.isGenerated &&
      !fields.value.has(column.name) &&
      !isRowidAlias(table, column.name),
  );
  if (missing) return refusedRecord(fail(`"${missing.name}" must be given: it cannot be empty and has no default.`));
  const row = simulateInsert(connection, table, fields.value);
  if (!row.ok) return refusedRecord(row);
  return planChecked(args, context, connection, overlay, table, fields.value, row.value, hasKey.value);
}

/** Whether the call names the key itself; else the database makes one. */
function hasGivenKey(table: TableInfo, fields: Fields): Checked<boolean> {
  const given = table.key.filter((name) => (fields.get(name) ?? null) !== null);
  if (given.length === table.key.length) return passed(true);
  const empty = table.key.find((name) => fields.has(name) && fields.get(name) === null && !isRowidAlias(table, name));
  return empty ? fail(`"${empty}" is part of the key and cannot be empty.`) : passed(false);
}

function planChecked(
  args: Arguments,
  context: ToolContext,
  connection: SqliteConnection,
  overlay: Overlay,
  table: TableInfo,
  fields: Fields,
  row: StoredRow,
  hasKey: boolean,
): RecordPlan {
  const names = [...fields.keys()];
  const rules = tableRules(connection, table);
  const simulated = simulatedTable(context, args.database, table.name, overlay);
  const key = hasKey ? keyOf(table, row) : null;
  const target: WriteTarget = {
    kind: 'record',
    database: args.database,
    table: table.name,
    key: key ? keyToJson(table, key) : {},
  };
  if (key) {
    const earlier = simulated.find(key);
    const existing = earlier ? earlier.row : readRow(connection, table, key);
    if (existing) {
      const reason = `There is already a record with this key in "${table.name}". Use update_record to change it.`;
      return refusedRecord(fail(reason), target, {
        before: recordFootprint(target, existing, names, rules),
        after: null,
      });
    }
  }
  const before = recordFootprint(target, key ? 'absent' : 'new', [], rules);
  const conflict = findConflict(connection, table, row, null, new Set(row.keys()), simulated);
  if (conflict) return refusedRecord(conflict, target, { before, after: null });
  if (key) simulated.set(key, row);
  const changes = names
    .filter((name) => key !== null || !table.key.includes(name))
    .map((field) => ({ field, after: toJson(row.get(field) ?? null) }));
  return {
    planned: {
      preview: {
        kind: 'record',
        action: 'create',
        target,
        changes,
        notes: describe(connection, table, row, names, key),
      },
      target,
      footprint: { before, after: key ? recordFootprint(target, row, names, rules) : null },
    },
    kind: 'created',
    apply: (open) => applyCreate(open, table, fields, row),
  };
}

function describe(
  connection: SqliteConnection,
  table: TableInfo,
  row: StoredRow,
  names: string[],
  key: StoredKey | null,
): string[] {
  const defaults = table.columns
    .filter((column) => column.defaultSql !== null && !names.includes(column.name))
    .map((column) => `${column.name} (${column.defaultSql})`);
  return [
    ...(key ? [] : [`The database chooses the key (${table.key.join(', ')}).`]),
    ...(defaults.length > 0 ? [`Left to their defaults: ${defaults.join(', ')}.`] : []),
    ...describeValues(null, row, names),
    ...describeReferences(connection, table, row, names),
    ...describeTriggers(connection, table, 'insert'),
  ];
}

function applyCreate(
  connection: SqliteConnection,
  table: TableInfo,
  fields: Fields,
  after: StoredRow,
): ReturnType<NonNullable<RecordPlan['apply']>> {
  const names = [...fields.keys()];
  const made = connection
    .prepare(
      `insert into ${quoteName(table.name)} (${names.map(quoteName).join(', ')})
       values (${names.map(() => '?').join(', ')}) returning ${table.key.map(quoteName).join(', ')}`,
    )
    .raw()
    .safeIntegers()
    .all([...fields.values()].map(toBinding)) as StoredKey[];
  const key = made[0];
  if (made.length !== 1 || !key) return fail('A trigger prevented the new record. Nothing was written.');
  const shown = names.filter((name) => !(table.key.includes(name) && fields.get(name) === null));
  const verified = verifyRow(readRow(connection, table, key), after, shown);
  if (!verified.ok) return verified;
  const jsonKey = keyToJson(table, key);
  return passed({ key: jsonKey, done: `Created ${table.name} ${JSON.stringify(jsonKey)}.` });
}

/** Creates one record. */
export const createRecord = defineTool({
  name: 'create_record',
  description:
    'Create one record in a table of a database. Leave the key out where the database numbers records itself; the answer names the new key. A person sees all values first.',
  parameters: Parameters,
  effect: 'non_idempotent_write',
  group: 'records',
  plan: (args, context, overlay) =>
    planOn(context, args.database, overlay, (connection, turn) => planCreate(args, context, connection, turn)),
  execute: (args, context, expected) =>
    executeOn(context, args, expected, (connection, turn) => planCreate(args, context, connection, turn)),
});

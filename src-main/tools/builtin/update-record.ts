import { Type, type Static } from 'typebox';
import type { FieldChange } from '../../../src-shared/preview.ts';
import type { WriteTarget } from '../../../src-shared/write-target.ts';
import type { Overlay, ToolContext } from '../../domain/tool.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, fail, passed } from '../checked.ts';
import { defineTool } from '../define-tool.ts';
import { DatabaseName, KeyArgument, TableName, ValuesArgument } from './record-arguments.ts';
import { findConflict, readFields } from './record-constraints.ts';
import { describeReferences, describeTriggers, describeValues, tableRules } from './record-notes.ts';
import { type RecordPlan, executeOn, planOn, recordFootprint, refusedRecord } from './record-plan.ts';
import { type StoredKey, keyToJson, readRow } from './record-rows.ts';
import { lookUp, simulateUpdate, simulatedTable } from './record-simulation.ts';
import { quoteName } from './sql-tokens.ts';
import { type StoredRow, type StoredValue, isSameValue, toBinding, toJson } from './stored-values.ts';
import { type TableInfo, keyCondition, readWritableTable } from './table-info.ts';

const Parameters = Type.Object(
  { database: DatabaseName, table: TableName, key: KeyArgument, values: ValuesArgument },
  { additionalProperties: false },
);
type Arguments = Static<typeof Parameters>;

function planUpdate(args: Arguments, context: ToolContext, connection: SqliteConnection, overlay: Overlay): RecordPlan {
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
  const fields = readFields(table, args.values);
  if (!fields.ok) return refusedRecord(fields, target);
  const names = [...fields.value.keys()];
  const rules = tableRules(connection, table);
  const before = recordFootprint(target, row ?? 'absent', names, rules);
  const no = (refusal: ReturnType<typeof fail>): RecordPlan => refusedRecord(refusal, target, { before, after: null });
  const inKey = names.find((name) => table.key.includes(name));
  if (inKey) return no(fail(`"${inKey}" is part of the key and cannot be changed. Create a new record instead.`));
  if (!row) return no(fail(`There is no such record in "${table.name}". Look it up with query_records.`));
  const after = simulateUpdate(connection, table, row, fields.value);
  if (!after.ok) return no(after);
  const changed = names.filter((name) => !isSameValue(row.get(name) ?? null, after.value.get(name) ?? null));
  if (changed.length === 0) return no(fail('Nothing would change: the record already has exactly these values.'));
  // Generated columns move with the fields they are made of; a unique rule over one may replace another record.
  const moved = [...after.value.keys()].filter(
    (name) => !isSameValue(row.get(name) ?? null, after.value.get(name) ?? null),
  );
  const conflict = findConflict(connection, table, after.value, key, new Set(moved), simulated);
  if (conflict) return no(conflict);
  simulated.set(key, after.value);
  return {
    planned: {
      preview: {
        kind: 'record',
        action: 'update',
        target,
        changes: changed.map((name) => describeChange(name, row, after.value)),
        notes: [
          ...describeValues(row, after.value, changed),
          ...describeReferences(connection, table, after.value, changed),
          ...describeTriggers(connection, table, 'update', names),
        ],
      },
      target,
      footprint: { before, after: recordFootprint(target, after.value, names, rules) },
    },
    kind: 'updated',
    apply: (open) => applyUpdate(open, table, key, fields.value, after.value),
  };
}

function describeChange(field: string, before: StoredRow, after: StoredRow): FieldChange {
  return { field, before: toJson(before.get(field) ?? null), after: toJson(after.get(field) ?? null) };
}

function applyUpdate(
  connection: SqliteConnection,
  table: TableInfo,
  key: StoredKey,
  fields: ReadonlyMap<string, StoredValue>,
  after: StoredRow,
): ReturnType<NonNullable<RecordPlan['apply']>> {
  const names = [...fields.keys()];
  const assignments = names.map((name) => `${quoteName(name)} = ?`).join(', ');
  const { changes } = connection
    .prepare(`update ${quoteName(table.name)} set ${assignments} where ${keyCondition(table)}`)
    .run([...fields.values(), ...key].map(toBinding));
  if (changes !== 1)
    return fail(`The update would have changed ${changes} records instead of one. Nothing was written.`);
  const verified = verifyRow(readRow(connection, table, key), after, names);
  if (!verified.ok) return verified;
  const jsonKey = keyToJson(table, key);
  return passed({ key: jsonKey, done: `Updated ${names.join(', ')} of ${table.name} ${JSON.stringify(jsonKey)}.` });
}

/** Compares what the file holds after a write with what the person saw. Refuses: any difference, so that it is rolled back. */
export function verifyRow(stored: StoredRow | null, expected: StoredRow, fields: readonly string[]): Checked<void> {
  const different = fields.find((name) => !isSameValue(stored?.get(name) ?? null, expected.get(name) ?? null));
  if (stored && different === undefined) return passed(undefined);
  const what = different ? `"${different}" would hold another value` : 'the record would not be there';
  return fail(`After the write ${what} than the preview showed, because of a trigger. Nothing was written.`);
}

/** Changes fields of one existing record. */
export const updateRecord = defineTool({
  name: 'update_record',
  description:
    'Change fields of one existing record of a database. Give only the fields to change. A person sees the old and new values first; if a field was changed meanwhile, nothing is written.',
  parameters: Parameters,
  effect: 'idempotent_write',
  group: 'records',
  plan: (args, context, overlay) =>
    planOn(context, args.database, overlay, (connection, turn) => planUpdate(args, context, connection, turn)),
  execute: (args, context, expected) =>
    executeOn(context, args, expected, (connection, turn) => planUpdate(args, context, connection, turn)),
});

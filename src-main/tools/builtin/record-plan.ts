import type { Footprint } from '../../../src-shared/preview.ts';
import type { WriteKind } from '../../../src-shared/vocabulary.ts';
import type { RecordKey, WriteTarget } from '../../../src-shared/write-target.ts';
import { digest, sameDigest } from '../../domain/digest.ts';
import type { JsonValue } from '../../domain/json-value.ts';
import type { Overlay, PlannedCall, ToolContext, ToolResult } from '../../domain/tool.ts';
import type { SqliteConnection } from '../../system/open-sqlite.ts';
import { type Checked, type ToolRefusal, passed, resultOf, unseen } from '../checked.ts';
import { withDatabase } from './foreign-database.ts';
import { explainConstraint } from './constraint-text.ts';
import { type StoredRow, exactForm } from './stored-values.ts';

/** A planned write of a record: what the person sees, and how it is done. `apply` is null when the plan says no. */
export interface RecordPlan {
  planned: PlannedCall;
  kind: WriteKind;
  /** Writes inside the open transaction, verifies, and gives the key of the record and a sentence for the model. */
  apply: ((connection: SqliteConnection) => Checked<{ key: RecordKey; done: string }>) | null;
}

/** Makes the plan of one call on an open connection. */
export type PlanRecord = (connection: SqliteConnection, overlay: Overlay) => RecordPlan;

/**
 * Digest of what a call depends on in a record: its target and the exact stored
 * values of `fields`, or the statement that there is no such record.
 * `rules` = what else decides the outcome and stood on the card: the table's own
 * declaration (defaults, checks) and its triggers. `extra` = more facts the person
 * saw, e.g. how many records a deletion takes along.
 * Source: architecture.md §5a "Footprint", T-45.
 */
export function recordFootprint(
  target: WriteTarget,
  row: StoredRow | 'absent' | 'new',
  fields: readonly string[],
  rules: string[],
  extra: JsonValue = null,
): string {
  if (typeof row === 'string') return digest('footprint/1:', { target, rules, state: row });
  const values = Object.fromEntries([...fields].toSorted().map((field) => [field, exactForm(row.get(field) ?? null)]));
  return digest('footprint/1:', { target, rules, state: { values, ...(extra === null ? {} : { extra }) } });
}

/**
 * A plan that says no, with the reason as its preview. Where the present state is
 * known the footprint still carries its digest: recovery recognises an applied write
 * by it, although the same call could not be planned again.
 */
export function refusedRecord(
  refusal: ToolRefusal,
  target: WriteTarget | null = null,
  footprint: Footprint | null = null,
): RecordPlan {
  return {
    planned: { preview: { kind: 'failed', reason: refusal.reason }, target, footprint },
    kind: 'updated',
    apply: null,
  };
}

/** Plans on a read-only connection; a database that cannot be opened is a plan that says no. */
export function planOn(context: ToolContext, database: string, overlay: Overlay, plan: PlanRecord): PlannedCall {
  const planned = withDatabase(context, database, 'read', (connection) => passed(plan(connection, overlay).planned));
  return planned.ok ? planned.value : refusedRecord(planned).planned;
}

/**
 * Executes an approved write: one immediate transaction of the target's own file in
 * which the plan is made again, its footprint compared, the write done and verified.
 * Anything but complete success leaves the file as it was.
 */
export function executeOn(
  context: ToolContext,
  place: { database: string; table: string },
  expected: Footprint | null,
  plan: PlanRecord,
): ToolResult {
  if (expected === null) return unseen(null);
  const result = withDatabase(context, place.database, 'write', (connection) => {
    connection.exec('begin immediate');
    try {
      const done = applyIfUnchanged(connection, expected, plan);
      // Foreign keys that are checked at the end make the commit fail: that is a rule of the table, too.
      connection.exec(done.outcome === 'ok' ? 'commit' : 'rollback');
      return passed(done);
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback');
      const refusal = explainConstraint(error, place.table);
      if (!refusal) throw error;
      return refusal;
    }
  });
  return result.ok ? result.value : resultOf(result);
}

function applyIfUnchanged(connection: SqliteConnection, expected: Footprint, plan: PlanRecord): ToolResult {
  const { planned, kind, apply } = plan(connection, new Map());
  const { footprint, target, preview } = planned;
  const no = preview.kind === 'failed' ? preview.reason : 'The change could not be planned; nothing was written.';
  if (footprint === null || target === null) return { outcome: 'failed', content: no, write: null };
  if (!sameDigest(footprint.before, expected.before)) return changed();
  if (apply === null) return { outcome: 'failed', content: no, write: null };
  // The same record, but the table would now store the values differently.
  if (footprint.after !== expected.after) return changed();
  const applied = apply(connection);
  if (!applied.ok) return resultOf(applied);
  const written: WriteTarget = target.kind === 'record' ? { ...target, key: applied.value.key } : target;
  return { outcome: 'ok', content: applied.value.done, write: { target: written, kind, completeness: 'complete' } };
}

function changed(): ToolResult {
  const content = 'The record changed after the preview was made. Nothing was written. Read it again first.';
  return { outcome: 'changed', content, write: null };
}

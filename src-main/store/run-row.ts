import { readActor } from '../domain/actor.ts';
import type { RunRecord } from '../domain/run.ts';
import { IS_OWNER_AWAY, IS_SWITCHED_OFF } from './holds.ts';
import { IS_RESTORED } from './restored.ts';
import { parseStored } from './stored-json.ts';

/** Fields that SQLite keeps as 0 or 1. */
type Flag = 'runsAlone' | 'isTruncated' | 'hasNonIdempotentEffect';

/** A row read with RUN_COLUMNS: its columns are named like the fields, so only the few that differ are converted. */
export type RunRow = Omit<RunRecord, 'actor' | Flag> & Record<Flag, number> & { actor: string };

/** Field of a run, in the order of the table's columns. */
const FIELDS: readonly (keyof RunRecord)[] = [
  'id',
  'label',
  'status',
  'mode',
  'segment',
  'configurationId',
  'configurationIdentifier',
  'initiatorId',
  'actor',
  'ownerToken',
  'workerId',
  'leaseExpiresAtMs',
  'attempt',
  'requeueCount',
  'runsAlone',
  'phase',
  'fenceEffect',
  'fenceCallId',
  'recoverCallId',
  'hasNonIdempotentEffect',
  'hold',
  'nextAttemptAtMs',
  'offlineDelayMs',
  'offlineSinceMs',
  'notBeforeAtMs',
  'rounds',
  'maxRounds',
  'inputTokens',
  'outputTokens',
  'costMicros',
  'unpricedAnswers',
  'isTruncated',
  'endReason',
  'errorClass',
  'pendingTool',
  'pendingEffect',
  'pendingTarget',
  'turnDigest',
  'previewRevision',
  'bounceCount',
  'decisionNumber',
  'lastDecisionNumber',
  'lastSequence',
  'createdAtMs',
  'queuedAtMs',
  'startedAtMs',
  'waitingSinceMs',
  'finishedAtMs',
];

/** `leaseExpiresAtMs` -> `lease_expires_at_ms`. */
const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Name of each field's column, worked out once: a transition writes dozens of them. */
const COLUMNS = Object.fromEntries(FIELDS.map((field) => [field, columnOf(field)])) as Record<keyof RunRecord, string>;

/** Only what is said of a run here and now is not simply its column. */
const shown = (field: keyof RunRecord): string => (field === 'hold' ? HOLD : COLUMNS[field]);

const HOLD = `case when ${IS_RESTORED} then 'restored' when status <> 'queued' or hold <> '' then hold
  when ${IS_SWITCHED_OFF} then 'configuration_inactive' when ${IS_OWNER_AWAY} then 'initiator_unavailable' else '' end`;

/** The columns of a run under the names of its fields; `last_hash` is the store's own and not part of the record. */
export const RUN_COLUMNS = FIELDS.map((field) => `${shown(field)} as ${field}`).join(', ');

export function readRun(row: RunRow): RunRecord {
  return {
    ...row,
    actor: readActor(parseStored(row.actor)),
    runsAlone: row.runsAlone === 1,
    isTruncated: row.isTruncated === 1,
    hasNonIdempotentEffect: row.hasNonIdempotentEffect === 1,
  };
}

/** Values for the columns of the fields given, by column name. */
export function columnValues(fields: Partial<RunRecord>): Record<string, string | number | null> {
  const values: Record<string, string | number | null> = {};
  for (const field of Object.keys(fields) as (keyof RunRecord)[]) values[COLUMNS[field]] = toColumn(fields[field]);
  return values;
}

function toColumn(value: RunRecord[keyof RunRecord] | undefined): string | number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

import { readActor } from '../domain/actor.ts';
import type { RunRecord } from '../domain/run.ts';
import { parseStored } from './stored-json.ts';

/** A row of `runs` as SQLite returns it. */
export type RunRow = Record<string, string | number | null>;

type Codec = { toColumn: (value: never) => string | number | null; fromColumn: (value: never) => unknown };
const asIs: Codec = { toColumn: (value) => value, fromColumn: (value) => value };
const flag: Codec = { toColumn: (value: boolean) => (value ? 1 : 0), fromColumn: (value: number) => value === 1 };
const actor: Codec = {
  toColumn: (value: unknown) => JSON.stringify(value),
  fromColumn: (value: string) => readActor(parseStored(value)),
};

const SPECIAL: Partial<Record<keyof RunRecord, Codec>> = {
  actor,
  runsAlone: flag,
  isTruncated: flag,
  hasNonIdempotentEffect: flag,
};

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

/** Name and codec of each field's column, worked out once: a transition reads and writes dozens of them. */
const COLUMNS = Object.fromEntries(
  FIELDS.map((field) => [field, { name: columnOf(field), codec: SPECIAL[field] ?? asIs }]),
) as Record<keyof RunRecord, { name: string; codec: Codec }>;

/** The columns of a run, listed; `last_hash` is the store's own and not part of the record. */
export const RUN_COLUMNS = FIELDS.map((field) => COLUMNS[field].name).join(', ');

export function readRun(row: RunRow): RunRecord {
  const run: Partial<Record<keyof RunRecord, unknown>> = {};
  for (const field of FIELDS) {
    const { name, codec } = COLUMNS[field];
    run[field] = codec.fromColumn(row[name] as never);
  }
  return run as RunRecord;
}

/** Named parameters and `column = :column` pairs for the fields given. */
export function writeColumns(fields: Partial<RunRecord>): {
  assignments: string;
  columns: string;
  values: string;
  parameters: RunRow;
} {
  const names = Object.keys(fields) as (keyof RunRecord)[];
  const columns = names.map((field) => COLUMNS[field].name);
  const parameters: RunRow = {};
  for (const field of names) parameters[COLUMNS[field].name] = COLUMNS[field].codec.toColumn(fields[field] as never);
  return {
    assignments: columns.map((column) => `${column} = :${column}`).join(', '),
    columns: columns.join(', '),
    values: columns.map((column) => `:${column}`).join(', '),
    parameters,
  };
}

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
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a run, listed; `last_hash` is the store's own and not part of the record. */
export const RUN_COLUMNS = FIELDS.map(columnOf).join(', ');

export function readRun(row: RunRow): RunRecord {
  const entries = FIELDS.map((field) => [field, (SPECIAL[field] ?? asIs).fromColumn(row[columnOf(field)] as never)]);
  return Object.fromEntries(entries) as RunRecord;
}

/** Named parameters and `column = :column` pairs for the fields given. */
export function writeColumns(fields: Partial<RunRecord>): {
  assignments: string;
  columns: string;
  values: string;
  parameters: RunRow;
} {
  const names = Object.keys(fields) as (keyof RunRecord)[];
  const columns = names.map(columnOf);
  const parameters: RunRow = {};
  for (const name of names) parameters[columnOf(name)] = (SPECIAL[name] ?? asIs).toColumn(fields[name] as never);
  return {
    assignments: columns.map((column) => `${column} = :${column}`).join(', '),
    columns: columns.join(', '),
    values: columns.map((column) => `:${column}`).join(', '),
    parameters,
  };
}

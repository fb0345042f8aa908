import type { RunRecord, UncertainWrite } from '../domain/run.ts';
import type { RunChange } from '../domain/run-change.ts';
import type { Sealer } from '../system/seal.ts';
import { appendChange, proveRow } from './change-log.ts';
import { appendEvents, CHAIN_START, type EventHead } from './event-log.ts';
import { readRun, RUN_COLUMNS, writeColumns, type RunRow } from './run-row.ts';
import { writeSealedParts } from './sealed-parts.ts';
import type { Statements } from './statements.ts';

/** A run as one statement of the current transaction read it, with the hash of its newest event. */
export interface StoredRun {
  run: RunRecord;
  lastHash: string;
}

/**
 * Applies one transition inside the caller's transaction: row, sealed parts, events,
 * uncertain write and the log of changes. Returns the row as it is afterwards.
 * `stored` was read in this transaction; null for a new run.
 * Faults: `ChainBrokenError`; when the row is not what the rule saw — impossible
 * inside one immediate transaction, so a bug.
 */
export function applyChange(
  statements: Statements,
  sealer: Sealer,
  stored: StoredRun | null,
  change: RunChange,
  nowMs: number,
): RunRecord {
  const before = change.create ?? stored?.run;
  if (!before) throw new Error('A change of no run was asked for.');
  const lastHash = change.create ? CHAIN_START : (stored?.lastHash ?? '');
  if (change.create) insertRun(statements, change.create);
  // A claim has just moved its row from queued to running and has proved it in its own statement.
  else if (change.kind !== 'claimed') proveRow(statements, before, lastHash);
  const after: RunRecord = { ...before, ...change.set };
  const head = appendEvents(statements, after, { sequence: before.lastSequence, hash: lastHash }, change.events, nowMs);
  updateRun(statements, before, change, head);
  after.lastSequence = head.sequence;
  writeSealedParts(statements, sealer, after.id, after.previewRevision, change);
  if (change.uncertainWrite) insertUncertainWrite(statements, sealer, after.id, change.uncertainWrite, nowMs);
  if (change.resolvesUncertainWrite) resolveUncertainWrite(statements, after.id, change.resolvesUncertainWrite, nowMs);
  if (!change.isSilent) {
    appendChange(statements, {
      run_id: after.id,
      kind: change.kind,
      status: after.status,
      last_sequence: head.sequence,
      last_hash: head.hash,
      at_ms: nowMs,
    });
  }
  return after;
}

function insertRun(statements: Statements, run: RunRecord): void {
  const { columns, values, parameters } = writeColumns(run);
  statements
    .get(`insert into runs (${columns}, last_hash) values (${values}, :last_hash)`)
    .run({ ...parameters, last_hash: CHAIN_START });
}

function updateRun(statements: Statements, before: RunRecord, change: RunChange, head: EventHead): void {
  const from = change.from === 'new' ? before.status : change.from;
  const { assignments, parameters } = writeColumns({ ...change.set, lastSequence: head.sequence });
  const { changes } = statements
    .get(
      `update runs set ${assignments}, last_hash = :last_hash
       where id = :run_id and status = :from_status and owner_token = :held_by`,
    )
    .run({ ...parameters, last_hash: head.hash, run_id: before.id, from_status: from, held_by: before.ownerToken });
  if (changes !== 1) throw new Error(`The run moved while a ${change.kind} change was applied to it.`);
}

const uncertainPlace = (runId: string, callId: string): string => `uncertain_writes.sealed/${runId}/${callId}`;

function insertUncertainWrite(
  statements: Statements,
  sealer: Sealer,
  runId: string,
  write: UncertainWrite,
  nowMs: number,
): void {
  statements
    .get(
      `insert into uncertain_writes
         (run_id, call_id, tool_name, effect, target, cause, noticed_at_ms, resolved_at_ms, resolution, sealed)
       values (:run_id, :call_id, :tool_name, :effect, :target, :cause, :now_ms, 0, '', :sealed)`,
    )
    .run({
      run_id: runId,
      call_id: write.callId,
      tool_name: write.toolName,
      effect: write.effect,
      target: write.target ? JSON.stringify(write.target) : '',
      cause: write.cause,
      now_ms: nowMs,
      sealed: sealer.seal(uncertainPlace(runId, write.callId), write.detail),
    });
}

function resolveUncertainWrite(
  statements: Statements,
  runId: string,
  { callId, resolution }: NonNullable<RunChange['resolvesUncertainWrite']>,
  nowMs: number,
): void {
  statements
    .get(
      `update uncertain_writes set resolved_at_ms = :now_ms, resolution = :resolution
       where run_id = :run_id and call_id = :call_id and resolved_at_ms = 0`,
    )
    .run({ run_id: runId, call_id: callId, resolution, now_ms: nowMs });
}

/** Calls of a run whose write is uncertain and not settled yet. */
export function uncertainCallIds(statements: Statements, runId: string): string[] {
  return statements
    .get('select call_id from uncertain_writes where run_id = ? and resolved_at_ms = 0')
    .pluck()
    .all(runId) as string[];
}

/** The run as stored, or null. */
export function loadRun(statements: Statements, runId: string): RunRecord | null {
  return loadStoredRun(statements, runId)?.run ?? null;
}

/** The run and where its chain ends, or null. */
export function loadStoredRun(statements: Statements, runId: string): StoredRun | null {
  const row = statements.get(SELECT_RUN).get(runId) as RunRow | undefined;
  return row ? readStoredRun(row) : null;
}

/** A row read with STORED_COLUMNS. */
export function readStoredRun(row: RunRow): StoredRun {
  return { run: readRun(row), lastHash: row['last_hash'] as string };
}

export const STORED_COLUMNS = `${RUN_COLUMNS}, last_hash`;
const SELECT_RUN = `select ${STORED_COLUMNS} from runs where id = ?`;

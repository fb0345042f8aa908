import type { RunRecord, UncertainWrite } from '../domain/run.ts';
import type { RunChange } from '../domain/run-change.ts';
import type { Sealer } from '../system/seal.ts';
import { appendChange, proveRow } from './change-log.ts';
import { chainEvents, CHAIN_START, insertEvents, type EventHead } from './event-log.ts';
import { columnValues, readRun, RUN_COLUMNS, type RunRow } from './run-row.ts';
import { indexChange, indexRun } from './search-index.ts';
import { sealUncertainWrite, writeSealedParts } from './sealed-parts.ts';
import { addSpend } from './spend.ts';
import { appendHead, HEAD_KINDS } from './signed-heads.ts';
import type { Statements } from './statements.ts';

/**
 * Applies one transition inside the caller's transaction: row, sealed parts, events,
 * uncertain write, the search index and the log of changes. Returns the row as it is afterwards.
 * `stored` was read in this transaction; null for a new run.
 * Faults: `ChainBrokenError`; when the row is not what the rule saw — impossible
 * inside one immediate transaction, so a bug.
 */
export function applyChange(
  statements: Statements,
  sealer: Sealer,
  stored: RunRecord | null,
  change: RunChange,
  nowMs: number,
): RunRecord {
  const before = change.create ?? stored;
  if (!before) throw new Error('A change of no run was asked for.');
  // A claim has just moved its row from queued to running; the record knows it as queued still.
  const status = change.kind === 'claimed' ? 'queued' : before.status;
  const lastHash = change.create ? CHAIN_START : proveRow(statements, { ...before, status });
  const after: RunRecord = { ...before, ...change.set };
  const { rows, head } = chainEvents(after, { sequence: before.lastSequence, hash: lastHash }, change.events, nowMs);
  after.lastSequence = head.sequence;
  if (change.create) {
    insertRun(statements, after, head.hash);
    indexRun(statements, after, change);
  } else {
    updateRun(statements, before, change, head);
    indexChange(statements, before, after, change);
  }
  insertEvents(statements, rows);
  writeSealedParts(statements, sealer, after.id, after.previewRevision, change);
  if (change.uncertainWrite) insertUncertainWrite(statements, sealer, after.id, change.uncertainWrite, nowMs);
  if (change.resolvesUncertainWrite) resolveUncertainWrite(statements, after.id, change.resolvesUncertainWrite, nowMs);
  if (change.usage) addSpend(statements, after, change.usage, nowMs);
  if (!change.isSilent) {
    const appended = appendChange(statements, {
      run_id: after.id,
      kind: change.kind,
      status: after.status,
      last_sequence: head.sequence,
      last_hash: head.hash,
      at_ms: nowMs,
    });
    if (HEAD_KINDS.includes(change.kind)) appendHead(statements, sealer, appended);
  }
  return after;
}

function insertRun(statements: Statements, run: RunRecord, lastHash: string): void {
  const values = { ...columnValues(run), last_hash: lastHash };
  const names = Object.keys(values);
  statements
    .get(`insert into runs (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`)
    .run(values);
}

function updateRun(statements: Statements, before: RunRecord, change: RunChange, head: EventHead): void {
  const values = { ...columnValues(change.set), last_sequence: head.sequence, last_hash: head.hash };
  const assignments = Object.keys(values).map((name) => `${name} = :${name}`);
  const { changes } = statements
    .get(
      `update runs set ${assignments.join(', ')}
       where id = :run_id and status = :from_status and owner_token = :held_by`,
    )
    .run({ ...values, run_id: before.id, from_status: change.from, held_by: before.ownerToken });
  if (changes !== 1) throw new Error(`The run moved while a ${change.kind} change was applied to it.`);
}

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
      sealed: sealUncertainWrite(sealer, runId, write),
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
  const row = statements.get(SELECT_RUN).get(runId) as RunRow | undefined;
  return row ? readRun(row) : null;
}

const SELECT_RUN = `select ${RUN_COLUMNS} from runs where id = ?`;

import { canonicalJson, digestRow } from '../domain/digest.ts';
import type { EventDraft, RunEvent } from '../domain/run.ts';
import type { Statements } from './statements.ts';

/** What stands before the first event of a run and before the first change. */
export const CHAIN_START = '0'.repeat(64);

/** A stored event row, exactly as hashed: the payload is its canonical text. */
export type EventRow = {
  run_id: string;
  sequence: number;
  kind: string;
  round: number;
  attempt: number;
  at_ms: number;
  duration_ms: number;
  payload: string;
  previous_hash: string;
};

/** The hash of an event covers every column and the hash of the event before: one flipped bit breaks the rest of the run. */
export function hashEvent(row: EventRow): string {
  return digestRow('event/1:', row);
}

export type HashedEventRow = EventRow & { hash: string };

/** Where a run's chain stands: sequence and hash of its newest event. */
export interface EventHead {
  sequence: number;
  hash: string;
}

/**
 * The rows that go on a run's chain, and where it ends then. Sequences are given here, inside the
 * transaction, so a refused or failed append consumes none (H-120).
 */
export function chainEvents(
  run: { id: string; attempt: number },
  { sequence, hash }: EventHead,
  drafts: EventDraft[],
  nowMs: number,
): { rows: HashedEventRow[]; head: EventHead } {
  const head = { sequence, hash };
  const rows = drafts.map((draft) => {
    head.sequence += 1;
    const row: EventRow = {
      run_id: run.id,
      sequence: head.sequence,
      kind: draft.kind,
      round: draft.round,
      attempt: run.attempt,
      at_ms: nowMs,
      duration_ms: Math.round(draft.durationMs * 100) / 100,
      payload: canonicalJson(draft.payload),
      previous_hash: head.hash,
    };
    head.hash = hashEvent(row);
    return { ...row, hash: head.hash };
  });
  return { rows, head };
}

export function insertEvents(statements: Statements, rows: HashedEventRow[]): void {
  for (const row of rows) {
    statements
      .get(
        `insert into run_events (run_id, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash)
         values (:run_id, :sequence, :kind, :round, :attempt, :at_ms, :duration_ms, :payload, :previous_hash, :hash)`,
      )
      .run(row);
  }
}

/** Whether the event says of this pause of the run in `runs` that it will expire. */
export const IS_REMINDER = `kind = 'expiry_near' and payload ->> '$.waitingSinceMs' = runs.waiting_since_ms`;

export function isReminded(statements: Statements, runId: string): boolean {
  return (
    statements
      .get(`select 1 from runs join run_events on run_id = runs.id where runs.id = ? and ${IS_REMINDER}`)
      .pluck()
      .get(runId) === 1
  );
}

/** The newest event of a run; null = nothing is recorded of it. */
export function lastEvent(statements: Statements, run: { id: string; lastSequence: number }): RunEvent | null {
  const row = statements
    .get('select * from run_events where run_id = ? and sequence = ?')
    .get(run.id, run.lastSequence) as HashedEventRow | undefined;
  return row ? readEvent(row) : null;
}

export function readEvent(row: HashedEventRow): RunEvent {
  return {
    runId: row.run_id,
    sequence: row.sequence,
    kind: row.kind as RunEvent['kind'],
    round: row.round,
    attempt: row.attempt,
    atMs: row.at_ms,
    durationMs: row.duration_ms,
    payload: JSON.parse(row.payload) as RunEvent['payload'],
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

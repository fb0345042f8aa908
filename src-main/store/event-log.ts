import { canonicalJson, digest } from '../domain/digest.ts';
import type { EventDraft, RunEvent } from '../domain/run.ts';
import type { Statements } from './statements.ts';

/** What stands before the first event of a run and before the first change. */
export const CHAIN_START = '0'.repeat(64);

/** A stored event row, exactly as hashed: the payload is its canonical text. */
export interface EventRow {
  run_id: string;
  sequence: number;
  kind: string;
  round: number;
  attempt: number;
  at_ms: number;
  duration_ms: number;
  payload: string;
  previous_hash: string;
}

/** The hash of an event covers every column and the hash of the event before: one flipped bit breaks the rest of the run. */
export function hashEvent(row: EventRow): string {
  return digest('event/1:', row);
}

/** Where a run's chain stands: sequence and hash of its newest event. */
export interface EventHead {
  sequence: number;
  hash: string;
}

/**
 * Appends events to a run's chain. Sequences are given here, inside the
 * transaction, so a refused or failed append consumes none (H-120).
 */
export function appendEvents(
  statements: Statements,
  run: { id: string; attempt: number },
  head: EventHead,
  drafts: EventDraft[],
  nowMs: number,
): EventHead {
  let { sequence, hash } = head;
  for (const draft of drafts) {
    const row: EventRow = {
      run_id: run.id,
      sequence: sequence + 1,
      kind: draft.kind,
      round: draft.round,
      attempt: run.attempt,
      at_ms: nowMs,
      duration_ms: Math.round(draft.durationMs * 100) / 100,
      payload: canonicalJson(draft.payload),
      previous_hash: hash,
    };
    hash = hashEvent(row);
    sequence = row.sequence;
    statements
      .get(
        `insert into run_events (run_id, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash)
         values (:run_id, :sequence, :kind, :round, :attempt, :at_ms, :duration_ms, :payload, :previous_hash, :hash)`,
      )
      .run({ ...row, hash });
  }
  return { sequence, hash };
}

export function readEvent(row: EventRow & { hash: string }): RunEvent {
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

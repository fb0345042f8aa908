import { digestRow, sameDigest } from '../domain/digest.ts';
import { CHAIN_START } from './event-log.ts';
import type { ChangesSince } from './run-store.ts';
import { lastHead, type LastHead } from './signed-heads.ts';
import type { Statements } from './statements.ts';

/** One row of `changes` as hashed: what moved, and where the run's own chain stood after it. */
export type ChangeRow = {
  seq: number;
  run_id: string;
  kind: string;
  status: string;
  last_sequence: number;
  last_hash: string;
  at_ms: number;
  previous_hash: string;
};

export function hashChange(row: ChangeRow): string {
  return digestRow('change/1:', row);
}

/** The text the MAC of the end covers: the last change and, once there is one, the last signed head. */
export const headText = (seq: number, changeHash: string, head: LastHead | null): string =>
  head ? `head/2:${seq}:${changeHash}:${head.number}:${head.hash}` : `head/1:${seq}:${changeHash}`;

/**
 * Appends one row to the log of changes and returns it. It binds the runs' chains together: a
 * dropped last event is missed here, a dropped last change is missed by the head.
 */
export function appendChange(
  statements: Statements,
  change: Omit<ChangeRow, 'seq' | 'previous_hash'>,
): ChangeRow & { hash: string } {
  const last = statements.get('select seq, hash from changes order by seq desc limit 1').get() as
    { seq: number; hash: string } | undefined;
  const row: ChangeRow = { ...change, seq: (last?.seq ?? 0) + 1, previous_hash: last?.hash ?? CHAIN_START };
  const hashed = { ...row, hash: hashChange(row) };
  statements
    .get(
      `insert into changes (seq, run_id, kind, status, last_sequence, last_hash, at_ms, previous_hash, hash)
       values (:seq, :run_id, :kind, :status, :last_sequence, :last_hash, :at_ms, :previous_hash, :hash)`,
    )
    .run(hashed);
  return hashed;
}

/** Runs that one look names; a page that missed more looks at everything again. */
const MAX_NAMED_RUNS = 200;
const MAX_READ_CHANGES = 2_000;

/** What moved after a sequence, for those who only have to look again. `seq` -1 = only where the log ends. */
export function changesAfter(statements: Statements, seq: number): ChangesSince {
  const lastSeq = statements.get('select coalesce(max(seq), 0) from changes').pluck().get() as number;
  if (seq < 0) return { lastSeq, runIds: [], hasInstallation: false };
  const rows = statements
    .get('select run_id from changes where seq > :seq and seq <= :last order by seq limit :limit')
    .pluck()
    .all({ seq, last: lastSeq, limit: MAX_READ_CHANGES + 1 }) as string[];
  const moved = new Set(rows);
  const isTooMany = rows.length > MAX_READ_CHANGES || moved.size > MAX_NAMED_RUNS;
  // The installation itself has no run id.
  const hasInstallation = isTooMany || moved.delete('');
  return { lastSeq, runIds: isTooMany ? null : [...moved], hasInstallation };
}

/** Somebody changed the record without the key. Nothing is added to it: the next signature would make the change look ours. */
export class ChainBrokenError extends Error {
  constructor(what: string) {
    super(`The audit record was changed outside: ${what}. Nothing more is written to it. See: verify`);
    this.name = 'ChainBrokenError';
  }
}

/**
 * Proves, at the start of each transaction, that the record still ends where it was
 * last signed: otherwise a forged history would be signed by the next commit.
 * Faults: `ChainBrokenError`.
 */
export function proveHead(statements: Statements, mac: (text: string) => string): void {
  const last = statements.get('select seq, hash from changes order by seq desc limit 1').get() as
    { seq: number; hash: string } | undefined;
  const head = statements.get('select seq, hash, mac from chain_head where id = 1').get() as
    { seq: number; hash: string; mac: string } | undefined;
  if (!last && !head) return;
  const isOurs =
    last !== undefined &&
    head?.seq === last.seq &&
    head.hash === last.hash &&
    sameDigest(mac(headText(head.seq, head.hash, lastHead(statements))), head.mac);
  if (!isOurs) throw new ChainBrokenError('its signed end does not fit');
}

/**
 * Proves that a run's row, as read in this transaction, stands where the record left
 * it: a row put back to an earlier state would carry out a decision that was used up.
 * Returns the hash of its newest event. Faults: `ChainBrokenError`.
 */
export function proveRow(statements: Statements, row: { id: string; status: string; lastSequence: number }): string {
  const newest = statements
    .get(
      `select changes.status, changes.last_sequence, changes.last_hash, runs.last_hash as row_hash
       from runs join changes on changes.run_id = runs.id where runs.id = +? order by seq desc limit 1`,
    )
    .get(row.id) as { status: string; last_sequence: number; last_hash: string; row_hash: string } | undefined;
  const isOurs =
    newest?.status === row.status && newest.last_sequence === row.lastSequence && newest.last_hash === newest.row_hash;
  if (!isOurs) throw new ChainBrokenError(`run ${row.id} is not as it was left`);
  return newest.row_hash;
}

/**
 * Signs where the log of changes ends, once per transaction. Without the key nobody
 * who edits the file can make a shorter history look whole.
 */
export function signHead(statements: Statements, mac: (text: string) => string): void {
  const last = statements.get('select seq, hash from changes order by seq desc limit 1').get() as
    { seq: number; hash: string } | undefined;
  if (!last) return;
  const head = statements.get('select seq from chain_head where id = 1').pluck().get() as number | undefined;
  if (head === last.seq) return;
  statements
    .get(
      `insert into chain_head (id, seq, hash, mac) values (1, :seq, :hash, :mac)
       on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, mac = excluded.mac`,
    )
    .run({ seq: last.seq, hash: last.hash, mac: mac(headText(last.seq, last.hash, lastHead(statements))) });
}

import { sameDigest } from '../domain/digest.ts';
import { SealBrokenError } from '../domain/sealed-faults.ts';
import type { Sealer } from '../system/seal.ts';
import type { ChainProblem } from './chain-problem.ts';
import { hashChange, headText, type ChangeRow } from './change-log.ts';
import { loadConfiguration } from './configuration-store.ts';
import { CHAIN_START, hashEvent, type EventRow } from './event-log.ts';
import { hashInstallationEvent, INSTALLATION, type InstallationEventRow } from './installation-log.ts';
import { loadOperator, readProof } from './operator-store.ts';
import { PurgeWatch } from './verify-purges.ts';
import { installationPublicKey, lastHead } from './signed-heads.ts';
import type { Statements } from './statements.ts';
import { verifyHeads } from './verify-heads.ts';
import { verifyReceipts } from './verify-receipts.ts';

export interface ChainReport {
  runs: number;
  events: number;
  changes: number;
  /** Signed heads: one for each decision and end since there are such heads. */
  heads: number;
  /** Receipts of decisions that the events name. */
  receipts: number;
  /** What others check heads and receipts with; null while there is none. */
  publicKey: string | null;
  problems: ChainProblem[];
}

/**
 * Recomputes every hash of the file: each run's events, the log of changes that
 * binds them, each run's row against its newest event and change, the signed end, the
 * signed heads, the receipts that events name, and the signed rows of operators and configurations. Reads inside one transaction, so it sees one moment. Belongs in a process
 * or thread that serves nobody else: it walks the whole file.
 * Source: architecture.md §2; docs/threat-model.md says what this proves and what not.
 */
export function verifyChain(statements: Statements, sealer: Sealer): ChainReport {
  const mac = (text: string): string => sealer.mac(text);
  return statements.database.transaction(() => {
    const problems: ChainProblem[] = [];
    const eventHashes = verifyEvents(statements, problems);
    verifyInstallationEvents(statements, eventHashes, problems);
    const newest = verifyChanges(statements, eventHashes, problems);
    const runs = verifyRuns(statements, eventHashes, newest, problems);
    verifyHead(statements, mac, problems);
    const heads = verifyHeads(statements, sealer, problems);
    const receipts = verifyReceipts(statements, sealer, problems);
    verifySignedRows(statements, sealer, problems);
    const count = (table: 'changes' | 'run_events'): number =>
      statements.get(`select count(*) from ${table}`).pluck().get() as number;
    return {
      runs,
      events: count('run_events'),
      changes: count('changes'),
      heads,
      receipts,
      publicKey: installationPublicKey(statements),
      problems,
    };
  })();
}

const at = (runId: string, sequence: number): string => `${runId}/${sequence}`;

/** Walks all events in order; returns the stored hash of each by run and sequence. */
function verifyEvents(statements: Statements, problems: ChainProblem[]): Map<string, string> {
  const hashes = new Map<string, string>();
  let runId = '';
  let expected = { sequence: 0, previous: CHAIN_START };
  const rows = statements.database
    .prepare(
      `select run_id, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash
       from run_events order by run_id, sequence`,
    )
    .iterate() as IterableIterator<EventRow & { hash: string }>;
  for (const { hash, ...row } of rows) {
    if (row.run_id !== runId) {
      runId = row.run_id;
      expected = { sequence: 0, previous: CHAIN_START };
    }
    const where = `event ${row.sequence} of run ${row.run_id}`;
    if (row.sequence !== expected.sequence)
      problems.push({ where, problem: `event ${expected.sequence} is missing before it` });
    else if (row.previous_hash !== expected.previous)
      problems.push({ where, problem: 'it does not follow the event before it' });
    if (recompute(() => hashEvent(row)) !== hash) problems.push({ where, problem: 'its content was changed' });
    hashes.set(at(row.run_id, row.sequence), hash);
    expected = { sequence: row.sequence + 1, previous: hash };
  }
  return hashes;
}

/** Walks what happened to the installation; adds the stored hashes under its empty run id. */
function verifyInstallationEvents(statements: Statements, hashes: Map<string, string>, problems: ChainProblem[]): void {
  let expected = { sequence: 0, previous: CHAIN_START };
  const bound = new Set(
    statements.get('select last_sequence from changes where run_id = ?').pluck().all(INSTALLATION) as number[],
  );
  const rows = statements
    .get('select sequence, kind, at_ms, payload, previous_hash, hash from installation_events order by sequence')
    .all() as (InstallationEventRow & { hash: string })[];
  for (const { hash, ...row } of rows) {
    const where = `event ${row.sequence} of the installation`;
    if (row.sequence !== expected.sequence)
      problems.push({ where, problem: `event ${expected.sequence} is missing before it` });
    else if (row.previous_hash !== expected.previous)
      problems.push({ where, problem: 'it does not follow the event before it' });
    if (recompute(() => hashInstallationEvent(row)) !== hash)
      problems.push({ where, problem: 'its content was changed' });
    if (!bound.has(row.sequence)) problems.push({ where, problem: 'the log of changes does not know it' });
    hashes.set(at(INSTALLATION, row.sequence), hash);
    expected = { sequence: row.sequence + 1, previous: hash };
  }
}

interface NewestChange {
  status: string;
  lastSequence: number;
  /** The change is the mark of a purge: of this run nothing else is left. */
  isPurged: boolean;
}

/** Walks the log of changes; returns the newest change of each run. */
function verifyChanges(
  statements: Statements,
  eventHashes: Map<string, string>,
  problems: ChainProblem[],
): Map<string, NewestChange> {
  const newest = new Map<string, NewestChange>();
  const purges = new PurgeWatch(statements);
  let expected = { seq: 1, previous: CHAIN_START };
  const rows = statements.database
    .prepare(
      `select seq, run_id, kind, status, last_sequence, last_hash, at_ms, previous_hash, hash from changes order by seq`,
    )
    .iterate() as IterableIterator<ChangeRow & { hash: string }>;
  for (const { hash, ...row } of rows) {
    const where = `change ${row.seq}`;
    if (row.seq !== expected.seq) problems.push({ where, problem: `change ${expected.seq} is missing before it` });
    else if (row.previous_hash !== expected.previous)
      problems.push({ where, problem: 'it does not follow the change before it' });
    if (recompute(() => hashChange(row)) !== hash) problems.push({ where, problem: 'its content was changed' });
    const purge = purges.problemOf(row);
    if (purge) problems.push({ where, problem: purge });
    if (!purges.isPurged(row.run_id) && eventHashes.get(at(row.run_id, row.last_sequence)) !== row.last_hash) {
      const whose = row.run_id === INSTALLATION ? 'the installation' : `run ${row.run_id}`;
      problems.push({ where, problem: `event ${row.last_sequence} of ${whose} is missing or another one` });
    }
    if (row.run_id !== INSTALLATION) {
      const isPurged = row.kind === 'purged';
      newest.set(row.run_id, { status: row.status, lastSequence: row.last_sequence, isPurged });
    }
    expected = { seq: row.seq + 1, previous: hash };
  }
  return newest;
}

function verifyRuns(
  statements: Statements,
  eventHashes: Map<string, string>,
  newest: Map<string, NewestChange>,
  problems: ChainProblem[],
): number {
  const rows = statements.get('select id, status, last_sequence, last_hash from runs').all() as {
    id: string;
    status: string;
    last_sequence: number;
    last_hash: string;
  }[];
  const seen = new Set(rows.map((row) => row.id));
  for (const row of rows) {
    const where = `run ${row.id}`;
    if (eventHashes.get(at(row.id, row.last_sequence)) !== row.last_hash) {
      problems.push({ where, problem: `its newest event (${row.last_sequence}) is missing or another one` });
    }
    if (eventHashes.has(at(row.id, row.last_sequence + 1)))
      problems.push({ where, problem: 'it has events its row does not know' });
    const change = newest.get(row.id);
    if (!change) problems.push({ where, problem: 'the log of changes does not know it' });
    else if (change.isPurged) problems.push({ where, problem: 'it was purged and is there again' });
    else if (change.status !== row.status) {
      problems.push({ where, problem: `its status is ${row.status}, the log of changes says ${change.status}` });
    } else if (change.lastSequence !== row.last_sequence) {
      problems.push({ where, problem: 'its row and the log of changes name different newest events' });
    }
  }
  for (const [runId, { isPurged }] of newest) {
    const where = `run ${runId}`;
    if (!isPurged && !seen.has(runId)) problems.push({ where, problem: 'its row is missing' });
    if (isPurged && eventHashes.has(at(runId, 0)))
      problems.push({ where, problem: 'it was purged and has events again' });
  }
  return rows.length;
}

function verifyHead(statements: Statements, mac: (text: string) => string, problems: ChainProblem[]): void {
  const head = statements.get('select seq, hash, mac from chain_head where id = 1').get() as
    { seq: number; hash: string; mac: string } | undefined;
  const last = statements.get('select seq, hash from changes order by seq desc limit 1').get() as
    { seq: number; hash: string } | undefined;
  if (!head && !last) return;
  if (!head) problems.push({ where: 'chain head', problem: 'it is missing although changes are stored' });
  else if (!sameDigest(mac(headText(head.seq, head.hash, lastHead(statements))), head.mac)) {
    problems.push({ where: 'chain head', problem: 'its signature is not ours' });
  } else if (head.seq !== last?.seq || head.hash !== last.hash) {
    problems.push({
      where: 'chain head',
      problem: `it ends at change ${head.seq}, the stored log ends at ${last?.seq ?? 0}`,
    });
  }
}

/** Who may do what: each operator and configuration must be as this installation wrote it. */
function verifySignedRows(statements: Statements, sealer: Sealer, problems: ChainProblem[]): void {
  for (const { id } of statements.get('select id from operators').all() as { id: number }[]) {
    const where = `operator ${id}`;
    if (!loadOperator(statements, sealer, id)) problems.push({ where, problem: 'its row was changed' });
    else if (!opens(() => readProof(statements, sealer, id)))
      problems.push({ where, problem: 'its passphrase was changed or is that of another row' });
  }
  for (const { id } of statements.get('select id from configurations').all() as { id: string }[]) {
    if (!loadConfiguration(statements, sealer, id)) {
      problems.push({ where: `configuration ${id}`, problem: 'its row was changed' });
    }
  }
}

function opens(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SealBrokenError) return false;
    throw error;
  }
}

/** A row whose values cannot even be hashed is a changed row. */
function recompute(hash: () => string): string {
  try {
    return hash();
  } catch {
    return '';
  }
}

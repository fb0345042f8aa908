import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { Statements } from '../../src-main/store/statements.ts';
import type { RoundLimit } from './product-cycles.ts';
import type { RecordedChange, RecordedStatement } from './recorded-cycle.ts';

/*
 * The measure to compare with: the rows of one recorded run, written again and again by prepared statements and nothing
 * else. No rule is asked, nothing is read, hashed, sealed or signed; one writer, one cycle at a time.
 */

/** So many transactions are the least for two segments and a decision between them. */
const TRANSACTIONS = 6;

export interface BareCycles {
  /** Returns how long each cycle took, in milliseconds. */
  round(limit: RoundLimit): Promise<number[]>;
}

/** Faults: when the recorded run does not fit into six transactions. */
export function bareCycles(database: Database, changes: RecordedChange[]): BareCycles {
  const recordedId = String(changes[0]?.statements.flatMap(namedParameters).find(({ id }) => id !== undefined)?.['id']);
  const transactions = inTransactions(changes).map((group) => mergeUpdates(group, recordedId));
  if (transactions.length !== TRANSACTIONS) throw new Error(`The run took ${transactions.length} transactions.`);
  const statements = new Statements(database);
  let seq = database.prepare('select coalesce(max(seq), 0) from changes').pluck().get() as number;
  const end = statements.get(`insert into chain_head (id, seq, hash, mac) values (1, :seq, :hash, :mac)
    on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, mac = excluded.mac`);
  const signature = 'f'.repeat(64);

  let head = database.prepare('select coalesce(max(number), 0) from heads').pluck().get() as number;

  function cycle(): void {
    const own: OwnRun = { id: randomUUID(), key: 0, seq, head };
    for (const transaction of transactions) {
      database.exec('begin immediate');
      for (const { sql, parameters } of transaction) {
        if (sql.includes('into changes')) own.seq += 1;
        if (sql.includes('into heads')) own.head += 1;
        const { lastInsertRowid } = statements.get(sql).run(...asRun({ sql, parameters }, recordedId, own));
        if (sql.includes('into run_index')) own.key = Number(lastInsertRowid);
      }
      end.run({ seq: own.seq, hash: signature, mac: signature });
      database.exec('commit');
    }
    ({ seq, head } = own);
  }

  return {
    async round(limit) {
      const cycleMs: number[] = [];
      const endMs = performance.now() + limit.ms;
      while (performance.now() < endMs && cycleMs.length < limit.cycles) {
        const startedMs = performance.now();
        cycle();
        cycleMs.push(performance.now() - startedMs);
      }
      return cycleMs;
    },
  };
}

const namedParameters = ({ parameters }: RecordedStatement): Record<string, unknown>[] =>
  Array.isArray(parameters) ? [] : [parameters];

/** Enqueue; claim; question and answer up to the card; decision; claim and fence; everything after the write. */
function inTransactions(changes: RecordedChange[]): RecordedStatement[][] {
  const groups: RecordedStatement[][] = [];
  let previous = '';
  for (const { kind, statements } of changes) {
    const isStepAfterHold = kind === 'step' && (previous === 'claimed' || previous === 'fenced');
    if (isStepAfterHold || ['queued', 'decided', 'claimed'].includes(kind)) groups.push([]);
    groups.at(-1)?.push(...statements);
    previous = kind;
  }
  return groups;
}

/** One update of the run's row for a whole transaction, where the product made one for each change. */
function mergeUpdates(statements: RecordedStatement[], recordedId: string): RecordedStatement[] {
  const columns: Record<string, unknown> = {};
  const others: RecordedStatement[] = [];
  for (const statement of statements) {
    const assigned = /^\s*update runs set (.+?)\s+where /is.exec(statement.sql)?.[1];
    if (assigned === undefined) others.push(statement);
    else {
      for (const parameters of namedParameters(statement)) {
        for (const [, column = ''] of assigned.matchAll(/(\w+) = :/g)) columns[column] = parameters[column];
      }
    }
  }
  const names = Object.keys(columns);
  if (names.length === 0) return others;
  const sql = `update runs set ${names.map((name) => `${name} = :${name}`).join(', ')} where id = :id`;
  return [...others, { sql, parameters: { ...columns, id: recordedId } }];
}

/** Where a run that is written bare stands: its id, its key in the search, its place in the log of changes and among the heads. */
interface OwnRun {
  id: string;
  key: number;
  seq: number;
  head: number;
}

/** The recorded parameters for another run. */
function asRun({ sql, parameters }: RecordedStatement, recordedId: string, own: OwnRun): unknown[] {
  const renamed = (value: unknown): unknown => (value === recordedId ? own.id : value);
  // Kind, name, key.
  if (sql.includes('into run_names')) return [...(parameters as unknown[]).slice(0, 2), own.key];
  if (Array.isArray(parameters)) return parameters.map(renamed);
  const named = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, renamed(value)]));
  const places = sql.includes('into changes')
    ? { seq: own.seq }
    : sql.includes('into heads')
      ? { number: own.head, change_seq: own.seq }
      : sql.includes('update run_index set tools')
        ? { key: own.key }
        : {};
  return [{ ...named, ...places }];
}

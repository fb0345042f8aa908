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
  const head = statements.get(`insert into chain_head (id, seq, hash, mac) values (1, :seq, :hash, :mac)
    on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, mac = excluded.mac`);
  const signature = 'f'.repeat(64);

  function cycle(): void {
    const id = randomUUID();
    for (const transaction of transactions) {
      database.exec('begin immediate');
      for (const { sql, parameters } of transaction) {
        const isChange = sql.includes('into changes');
        if (isChange) seq += 1;
        statements.get(sql).run(...asRun(parameters, recordedId, id, isChange ? seq : null));
      }
      head.run({ seq, hash: signature, mac: signature });
      database.exec('commit');
    }
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

/** The recorded parameters for another run; `seq` for its place in the log of changes. */
function asRun(
  parameters: RecordedStatement['parameters'],
  recordedId: string,
  id: string,
  seq: number | null,
): unknown[] {
  const renamed = (value: unknown): unknown => (value === recordedId ? id : value);
  if (Array.isArray(parameters)) return parameters.map(renamed);
  const entries = Object.entries(parameters).map(([name, value]) => [name, renamed(value)]);
  const named = Object.fromEntries(entries) as Record<string, unknown>;
  return [seq === null ? named : { ...named, seq }];
}

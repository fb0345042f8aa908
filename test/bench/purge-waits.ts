import type { RunRecord } from '../../src-main/domain/run.ts';
import { signHead } from '../../src-main/store/change-log.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { startChild } from '../support/child.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture } from '../support/store.ts';
import { rounded, spread } from './figures.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 400 * DAY_MS;
/** Pause between two decisions: a person is slower, so more of them meet a transaction of the purge. */
const PAUSE_MS = 5;
const TABLES = { run_events: 'run_id', decisions: 'run_id', results: 'run_id', changes: 'run_id', runs: 'id' } as const;

/**
 * How long a decision waits while another process purges: `runs` ended runs of nine events each go, and meanwhile runs
 * that wait are denied one after the other. Aim of issue D: never more than 100 ms.
 */
export async function measurePurge(runs = Number(process.env.COUNTERSIGN_BENCH_PURGED ?? 100_000)) {
  const fixture = openStoreFixture();
  try {
    const lives = livesOf(fixture);
    const waiting = await lives.waiting();
    await lives.go(waiting.id, 'decide_approval', lives.decision(waiting), 4_000);
    const run = await lives.claim(5_000);
    for (let round = 0; round < 3; round += 1) await lives.go(run.id, 'record_step', lives.step(run), 6_000);
    await lives.go(run.id, 'complete', { ...lives.held(run), reason: 'completed', answer: 'done' }, 7_000);
    multiply(fixture.path, run.id, runs - 1);
    signHead(fixture.statements, (text) => fixture.sealer.mac(text));
    const cards: RunRecord[] = [];
    for (let card = 0; card < 3_000; card += 1) cards.push(await lives.waiting());
    const child = startChild('purge-store.ts', fixture.path, fixture.dataKey.toString('hex'), NOW_MS);
    await child.message();
    const undisturbedMs: number[] = [];
    const deny = async (into: number[]): Promise<void> => {
      const card = cards.pop();
      if (!card) throw new Error('All cards are decided.');
      const startedMs = performance.now();
      const denied = await lives.go(card.id, 'decide_approval', lives.decision(card, { approved: false }), NOW_MS);
      if (!denied.ok) throw new Error(`Refused: ${denied.refusal.kind}`);
      into.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    };
    for (let count = 0; count < 200; count += 1) await deny(undisturbedMs);
    const over = new AbortController();
    const done = child.message<{ purged: unknown; seconds: number }>().finally(() => over.abort());
    child.send('go');
    const waitedMs: number[] = [];
    while (!over.signal.aborted && cards.length > 0) await deny(waitedMs);
    const { purged, seconds } = await done;
    await child.stop();
    return {
      runs,
      seconds: rounded(seconds),
      purged,
      decisionMs: {
        undisturbed: spread(undisturbedMs),
        purging: spread(waitedMs),
        longest: rounded(Math.max(...waitedMs)),
      },
    };
  } finally {
    fixture.dispose();
  }
}

/** Copies a run with all its rows under other ids; their hashes are those of the one, which a purge does not recompute. */
function multiply(path: string, runId: string, copies: number): void {
  // A connection without the product's guards, which know no run that is born ended.
  const database = openSqlite(path);
  database.pragma('foreign_keys = off');
  database.exec('create temp table copies (number integer primary key); begin');
  const last = database.prepare('select max(seq) from changes').pluck().get() as number;
  const perRun = database.prepare('select count(*) from changes where run_id = ?').pluck().get(runId) as number;
  database
    .prepare(
      'with recursive n(i) as (values (1) union all select i + 1 from n where i < ?) insert into copies select i from n',
    )
    .run(copies);
  for (const [table, id] of Object.entries(TABLES)) {
    const columns = database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[];
    const values = columns.map((column) =>
      column === id
        ? `${id} || '-' || copies.number`
        : column === 'seq'
          ? `seq + ${last} + (copies.number - 1) * ${perRun}`
          : `${table}.${column}`,
    );
    database
      .prepare(
        `insert into ${table} select ${values.join(', ')} from copies, ${table} where ${id} = ? order by copies.number`,
      )
      .run(runId);
  }
  database.exec('commit');
  database.close();
}

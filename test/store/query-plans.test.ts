import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM } from '../../src-main/store/sqlite-run-store.ts';
import { FIGURES } from '../../src-main/store/health-query.ts';
import { LISTS } from '../../src-main/store/run-queries.ts';
import {
  CONDITION_NAMES,
  FACETS,
  FITS_WORDS,
  pageSql,
  rareSql,
  RUN_OF_KEY,
  STILL_WANTED,
  type ConditionName,
} from '../../src-main/store/search-query.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';
import { livesOf } from '../support/store-life.ts';

let fixture: StoreFixture;
beforeAll(() => {
  fixture = openStoreFixture();
  fixture.database.function(STILL_WANTED, { deterministic: false }, () => 1);
  fixture.database.function(FITS_WORDS, { deterministic: true }, (_text, _words) => 1);
});
afterAll(() => fixture.dispose());

/** The steps of a plan. Parameters are unbound, which the planner does not mind. */
function planOf(sql: string): string[] {
  const unbound = Object.fromEntries([...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name as string, null]));
  const places = [...sql.replaceAll(/'[^']*'/g, '').matchAll(/\?/g)].map(() => null);
  const statement = fixture.database.prepare(`explain query plan ${sql}`);
  const rows = (places.length > 0 ? statement.all(...places) : statement.all(unbound)) as { detail: string }[];
  return rows.map((row) => row.detail);
}

/** Whether a run is held with a restored copy: asked once, and only then of the run itself. */
const isRestored = (number: number): string[] => [
  `SCALAR SUBQUERY ${number}`,
  'SEARCH changes USING COVERING INDEX changes_restored',
  `CORRELATED SCALAR SUBQUERY ${number + 1}`,
  'SEARCH changes USING COVERING INDEX changes_of_run (run_id=?)',
  `SCALAR SUBQUERY ${number + 2}`,
  'SEARCH changes USING COVERING INDEX changes_restored',
];

/** What of the rows around it holds a queued run: two looks by a key. */
const isHeld = (number: number): string[] => [
  `CORRELATED SCALAR SUBQUERY ${number}`,
  'SEARCH configurations USING PRIMARY KEY (id=?)',
  `CORRELATED SCALAR SUBQUERY ${number + 1}`,
  'SEARCH operators USING INTEGER PRIMARY KEY (rowid=?)',
];

/** The columns of a run say what holds it. */
const saysHold: string[] = [...isRestored(1), ...isHeld(4)];

const EXPECTED: Record<keyof typeof LISTS, string | string[]> = {
  waiting: ['SCAN runs USING INDEX runs_waiting', ...saysHold],
  waitingSince: ['SEARCH runs USING INDEX runs_waiting (waiting_since_ms<?)', ...isRestored(1)],
  unreminded: [
    'SEARCH runs USING INDEX runs_waiting (waiting_since_ms>? AND waiting_since_ms<?)',
    ...isRestored(1),
    'CORRELATED SCALAR SUBQUERY 4',
    'SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 (run_id=?)',
  ],
  ended: ['SCAN runs USING INDEX runs_ended', ...saysHold],
  // No more than there are slots of workers: sorting them costs nothing.
  running: ['SCAN runs USING INDEX runs_running', ...saysHold, 'USE TEMP B-TREE FOR ORDER BY'],
  queued: [
    'SEARCH run_index USING INDEX run_index_group (status_group=?)',
    'SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)',
    ...saysHold,
  ],
  // A row for each person and status.
  counts: ['SCAN run_counts', 'USE TEMP B-TREE FOR GROUP BY'],
  claims: ['SCAN runs USING INDEX runs_running', ...isRestored(1)],
  nextDue: [
    'SEARCH runs USING INDEX runs_claimable',
    'SCALAR SUBQUERY 1',
    'SEARCH changes USING INDEX changes_of_run (run_id=?)',
    ...isRestored(2),
    ...isHeld(5),
  ],
  restored: [
    'COMPOUND QUERY',
    'LEFT-MOST SUBQUERY',
    'SCAN runs USING INDEX runs_claimable',
    ...isRestored(1),
    'UNION ALL',
    'SCAN runs USING INDEX runs_running',
    ...isRestored(5),
    'UNION ALL',
    'SCAN runs USING INDEX runs_waiting',
    ...isRestored(9),
  ],
  events: 'SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 (run_id=? AND sequence>?)',
  approvals: [
    'SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 (run_id=?)',
    'LIST SUBQUERY 1',
    'SCAN json_each VIRTUAL TABLE INDEX 1:',
  ],
  uncertain: [
    'SCAN uncertain_writes USING INDEX uncertain_writes_open',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)',
  ],
};

const COUNTED: Record<keyof typeof FIGURES, string[]> = {
  health: [
    'SCAN runs USING COVERING INDEX runs_claimable',
    'SCAN runs USING COVERING INDEX runs_running',
    'SEARCH runs USING COVERING INDEX runs_end_reason (end_reason=?)',
    'SCAN runs USING INDEX runs_running',
    'SEARCH runs USING COVERING INDEX runs_claimable',
    'SCAN runs USING COVERING INDEX runs_claimable',
  ],
  byStatus: ['SEARCH runs USING COVERING INDEX runs_newest (created_at_ms>?)'],
  byEndReason: ['SCAN runs USING COVERING INDEX runs_end_reason'],
  live: [
    'SCAN runs USING INDEX runs_waiting',
    'SCAN runs USING COVERING INDEX runs_claimable',
    'SCAN runs USING COVERING INDEX runs_running',
  ],
};

describe('the query plans', () => {
  it.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('T-116 answer %s from its index, without sorting', (name) => {
    expect(planOf(LISTS[name])).toEqual([EXPECTED[name]].flat());
  });

  it.each(Object.keys(FIGURES) as (keyof typeof FIGURES)[])(
    'T-116 count %s from indexes of runs, without sorting',
    (name) => {
      const plan = planOf(FIGURES[name]);
      expect(plan.filter((step) => /TEMP B-TREE|SCAN runs$/.test(step))).toEqual([]);
      expect(plan.filter((step) => / runs /.test(step))).toEqual(COUNTED[name]);
    },
  );

  it('R-27 find the next run to claim in the index of claimable runs, by its key, without sorting', () => {
    const plan = planOf(CLAIM);
    expect(plan).toContain('SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)');
    expect(plan.some((step) => step.startsWith('SEARCH runs USING INDEX runs_claimable (next_attempt_at_ms<?'))).toBe(
      true,
    );
    // Runs of a busy endpoint are counted among the running ones, which are few.
    expect(
      plan.filter((step) => /TEMP B-TREE|SCAN/.test(step)).filter((step) => !step.startsWith('SCAN CONSTANT')),
    ).toEqual(['SCAN busy USING COVERING INDEX runs_running']);
  });
});

/** How the list of each condition is walked: the first step of every plan that walks it. */
const WALKED: Record<ConditionName, RegExp> = {
  target: /^SEARCH listed USING PRIMARY KEY \(kind=\? AND name=\? AND key<\?\)$/,
  tool: /^SEARCH listed USING PRIMARY KEY \(kind=\? AND name=\? AND key<\?\)$/,
  group: /^SEARCH run_index USING (COVERING )?INDEX run_index_group \(status_group=\? AND rowid<\?\)$/,
  owner: /^SEARCH run_index USING (COVERING )?INDEX run_index_owner \(initiator_id=\? AND rowid<\?\)$/,
  initiator: /^SEARCH run_index USING (COVERING )?INDEX run_index_initiator \(initiator=\? AND rowid<\?\)$/,
  configuration: /^SEARCH run_index USING (COVERING )?INDEX run_index_configuration \(configuration=\? AND rowid<\?\)$/,
  since: /^SEARCH runs USING (COVERING )?INDEX runs_newest \(created_at_ms>\?\)$/,
  match: /^SCAN run_text VIRTUAL TABLE INDEX \d+:.*M\d+/,
};

describe('the plans of a search', () => {
  it.each(CONDITION_NAMES)('T-116 walk the list of %s in the order of keys and look each row up', (name) => {
    for (const asked of [[], CONDITION_NAMES.filter((other) => other !== name)]) {
      const plan = planOf(pageSql(name, asked, true));
      expect(plan[0]).toMatch(WALKED[name]);
      const rest = plan.slice(1).filter((step) => /SCAN|TEMP B-TREE/.test(step));
      // Only by age a list is sorted, and only where it is short.
      expect(rest).toEqual(name === 'since' ? ['USE TEMP B-TREE FOR ORDER BY'] : []);
    }
  });

  it('T-116 walk all runs by key when nothing is asked, and read one by its key', () => {
    expect(planOf(pageSql('all', []))).toEqual(['SEARCH run_index USING INTEGER PRIMARY KEY (rowid<?)']);
    expect(planOf(pageSql('near', ['group'])).filter((step) => /SCAN|SEARCH|TEMP/.test(step))).toEqual([
      expect.stringMatching(WALKED.match),
      'SCAN listed',
      'SEARCH run_index USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
    expect(planOf(RUN_OF_KEY)).toEqual([
      'SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)',
      'SCALAR SUBQUERY 6',
      'SEARCH run_index USING INTEGER PRIMARY KEY (rowid=?)',
      ...saysHold,
    ]);
  });

  it.each(CONDITION_NAMES)('T-116 count how rare %s is in its own list, up to a bound', (name) => {
    const [first, ...rest] = planOf(rareSql(name)).filter((step) => !/CO-ROUTINE|SCAN \(subquery/.test(step));
    expect(first).toMatch(new RegExp(WALKED[name].source.replaceAll(/ AND (row|ke)y?(id)?<\\\?/g, '')));
    expect(rest.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  });

  it.each(Object.entries(FACETS))('T-116 jump from value to value for the facet %s', (_name, { all, own }) => {
    const steps = planOf(all).filter((step) => /SCAN|SEARCH|TEMP/.test(step) && !/jumps|subquery/.test(step));
    expect(steps.length).toBeGreaterThan(2);
    for (const step of steps) expect(step).toMatch(/^SEARCH run_(index USING COVERING INDEX|names USING PRIMARY KEY)/);
    // Of a person's own at most 2,000 runs are looked at, and grouped.
    expect(planOf(own).filter((step) => /run_index|TEMP/.test(step))).toEqual([
      expect.stringMatching(/^SEARCH run_index USING INDEX run_index_owner \(initiator_id=\?\)$/),
      'USE TEMP B-TREE FOR GROUP BY',
    ]);
  });
});

/** Every place in the store that reads more than one row, by the file it stands in; a new one belongs into a test above. */
const READS_OF_MANY: Record<string, { reads: number; why: string }> = {
  'apply-change.ts': { reads: 1, why: 'uncertain calls of one run' },
  'change-log.ts': { reads: 1, why: 'changes after a sequence, by primary key, bounded' },
  'configuration-store.ts': { reads: 1, why: 'all configurations: as many as people have connected' },
  'health-query.ts': { reads: 1, why: 'FIGURES, with a plan of their own' },
  'operator-store.ts': { reads: 1, why: 'the people of an installation, who are few' },
  'sqlite-people-store.ts': { reads: 1, why: 'failed proofs of one name, by their index, at most a thousand' },
  'purge.ts': { reads: 1, why: 'PURGE_LISTS, by the index of ended runs, bounded' },
  'rotate-key.ts': { reads: 3, why: 'a change of the key reads every sealed value, by primary key, in pages' },
  'row-signature.ts': { reads: 1, why: 'operators and configurations, when the key changes' },
  'run-queries.ts': { reads: 9, why: 'LISTS' },
  'signed-heads.ts': { reads: 1, why: 'heads after a number, by primary key, for an export' },
  'verify-purges.ts': { reads: 1, why: 'part of verify' },
  'verify-receipts.ts': { reads: 1, why: 'part of verify' },
  'search-query.ts': { reads: 3, why: 'pageSql and both kinds of FACETS' },
  'sealed-parts.ts': { reads: 1, why: 'the transcript of one run' },
  'verify-chain.ts': { reads: 7, why: 'verify reads the whole file; nothing waits for it' },
};

/** Tables that grow with the number of runs. */
const GROWING =
  /^SCAN (runs|run_events|changes|run_index|run_names|transcript_chunks|decisions|receipts|results|run_requests)\b/;

/** Statements of a whole story that walk such a table, or sort; each for a reason. */
const WALKS: readonly { of: RegExp; steps: RegExp; why: string }[] = [
  { of: /from runs where status = 'running'/, steps: /runs_running|TEMP/, why: 'running runs are few' },
  { of: /status = 'queued' and hold = 'offline'/, steps: /runs_offline/, why: 'its own partial index' },
  { of: /where \(status = 'waiting/, steps: /runs_waiting/, why: 'its own partial index, in order, bounded' },
  { of: /where \(status = 'completed/, steps: /runs_ended/, why: 'its own partial index, in order, bounded' },
  { of: /as live_workers/, steps: /.*/, why: 'figures of health, asked by a command' },
  { of: /from changes order by seq desc limit 1/, steps: /^SCAN changes$/, why: 'the last row by its primary key' },
  { of: /hold = 'paused'$/, steps: /runs_claimable/, why: 'who resumes frees whatever is queued' },
  { of: /queued_at_ms > \?/, steps: /runs_claimable/, why: 'only queued runs, only when a clock was set back' },
  { of: /from run_counts/, steps: /TEMP/, why: 'a row for each person and status' },
  { of: /update runs set status = 'running'/, steps: /runs_running/, why: 'running runs are few' },
];

describe('the statements of the store', () => {
  it('T-116 that read many rows are all known here', () => {
    const folder = join(import.meta.dirname, '../../src-main/store');
    const found = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const reads = found.flatMap((name) => {
      const count = readFileSync(join(folder, name), 'utf8').match(/\.(all|iterate)\(/g)?.length ?? 0;
      return count > 0 ? [[name, count] as const] : [];
    });
    const known = Object.entries(READS_OF_MANY).map(([name, { reads: count }]) => [name, count]);
    expect(Object.fromEntries(reads)).toEqual(Object.fromEntries(known));
  });

  it('T-116 of a whole story walk no table that grows, and sort nothing, but for a reason', async () => {
    const prepared = new Set<string>();
    const get = Statements.prototype.get;
    Statements.prototype.get = function noted(sql) {
      prepared.add(sql);
      return get.call(this, sql);
    };
    try {
      await playStory();
    } finally {
      Statements.prototype.get = get;
    }
    expect(prepared.size).toBeGreaterThan(40);
    const offences = [...prepared].flatMap((sql) =>
      planOf(sql)
        .filter((step) => GROWING.test(step) || step.includes('TEMP B-TREE'))
        .filter((step) => !WALKS.some(({ of, steps }) => of.test(sql) && steps.test(step)))
        .map((step) => ({ sql, step })),
    );
    expect(offences).toEqual([]);
  });
});

/** Every kind of read and write a host makes while it serves people. */
async function playStory(): Promise<void> {
  const lives = livesOf(fixture);
  const { store } = fixture;
  const nowMs = 50_000;
  const run = await lives.waiting();
  await lives.go(run.id, 'decide_approval', lives.decision(run));
  const resumed = await lives.claim(40_000);
  await lives.go(resumed.id, 'record_step', lives.step(resumed));
  await lives.go(resumed.id, 'cancel', { actor: OPERATOR });
  await lives.enqueue();
  await store.setPause({ actor: OPERATOR, isPaused: true }, nowMs);
  await store.setPause({ actor: OPERATOR, isPaused: false }, nowMs);
  await store.endOffline(null, nowMs);
  await store.mendDueTimes(nowMs);
  await store.touchWorker({ id: 'w', pid: 1, transport: 'pool', nowMs });
  await store.forgetWorker('w');
  await Promise.all([
    store.run(run.id),
    store.request(run.id),
    store.transcript(run.id),
    store.pendingTurn(run.id),
    store.decision(run.id, 1),
    store.result(run.id),
    store.events(run.id, -1),
    store.waitingRuns(),
    store.endedRuns(),
    store.activeRuns(),
    store.runningClaims(),
    store.uncertainWrites(),
    store.nextDueAtMs(),
    store.countByStatus(),
    store.pause(),
    store.health({ nowMs, workerMaxAgeMs: 1_000, transport: null }),
    store.operator(1),
    store.configuration(fixture.configuration.id),
    store.findConfiguration('sample'),
    store.configurations(),
    store.hasApiKey(fixture.configuration.id),
  ]);
  store.changesAfter(0);
  store.configurationsStamp();
}

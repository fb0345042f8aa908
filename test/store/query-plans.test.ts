import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM } from '../../src-main/store/sqlite-run-store.ts';
import { LISTS } from '../../src-main/store/run-queries.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
beforeAll(() => {
  fixture = openStoreFixture();
});
afterAll(() => fixture.dispose());

/** The steps of a plan. Parameters are unbound, which the planner does not mind. */
function planOf(sql: string): string[] {
  const unbound = Object.fromEntries([...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name as string, null]));
  const rows = fixture.database.prepare(`explain query plan ${sql}`).all(unbound) as { detail: string }[];
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

const EXPECTED: Record<keyof typeof LISTS, string | string[]> = {
  waiting: ['SCAN runs USING INDEX runs_waiting', ...isRestored(1)],
  ended: ['SCAN runs USING INDEX runs_ended', ...isRestored(1)],
  active: ['SCAN runs USING INDEX runs_newest', ...isRestored(1)],
  counts: 'SCAN runs USING COVERING INDEX runs_newest',
  claims: ['SCAN runs USING INDEX runs_running', ...isRestored(1)],
  nextDue: [
    'SEARCH runs USING INDEX runs_claimable',
    'SCALAR SUBQUERY 1',
    'SEARCH changes USING INDEX changes_of_run (run_id=?)',
    ...isRestored(2),
    'CORRELATED SCALAR SUBQUERY 5',
    'SEARCH configurations USING PRIMARY KEY (id=?)',
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
  uncertain: [
    'SCAN uncertain_writes USING INDEX uncertain_writes_open',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)',
  ],
};

describe('the query plans', () => {
  it.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('T-116 answer %s from its index, without sorting', (name) => {
    expect(planOf(LISTS[name])).toEqual([EXPECTED[name]].flat());
  });

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

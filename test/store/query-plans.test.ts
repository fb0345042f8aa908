import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM } from '../../src-main/store/sqlite-run-store.ts';
import { FIGURES } from '../../src-main/store/health-query.ts';
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

const EXPECTED: Record<keyof typeof LISTS, string | string[]> = {
  waiting: 'SCAN runs USING INDEX runs_waiting',
  waitingSince: 'SEARCH runs USING INDEX runs_waiting (waiting_since_ms<?)',
  ended: 'SCAN runs USING INDEX runs_ended',
  active: 'SCAN runs USING INDEX runs_newest',
  counts: 'SCAN runs USING COVERING INDEX runs_newest',
  claims: 'SCAN runs USING INDEX runs_running',
  nextDue: [
    'SEARCH runs USING INDEX runs_claimable',
    'SCALAR SUBQUERY 1',
    'SEARCH changes USING INDEX changes_of_run (run_id=?)',
    'CORRELATED SCALAR SUBQUERY 2',
    'SEARCH configurations USING PRIMARY KEY (id=?)',
  ],
  events: 'SEARCH run_events USING INDEX sqlite_autoindex_run_events_1 (run_id=? AND sequence>?)',
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

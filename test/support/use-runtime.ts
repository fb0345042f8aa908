import { afterEach, expect } from 'vitest';
import type { ConfigurationSettings } from '../../src-main/domain/configuration.ts';
import { isTerminal } from '../../src-main/domain/run.ts';
import { readRun, RUN_COLUMNS, type RunRow } from '../../src-main/store/run-row.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { openRuntimeFixture, type RuntimeFixture, type Script } from './runtime.ts';

/**
 * Gives a test file runtimes of its own. After each test every file must be sound,
 * whatever the test was about: the audit chain holds, a row that nobody holds has no
 * claim, lease or fence, and an ended run keeps nothing that only a living one needs.
 */
export function useRuntime(): (script: Script, settings?: Partial<ConfigurationSettings>) => RuntimeFixture {
  const opened: RuntimeFixture[] = [];
  afterEach(() => {
    for (const fixture of opened.splice(0)) {
      try {
        expectSound(fixture);
      } finally {
        fixture.dispose();
      }
    }
  });
  return (script, settings) => {
    const fixture = openRuntimeFixture(script, settings);
    opened.push(fixture);
    return fixture;
  };
}

function expectSound({ database, statements, sealer }: RuntimeFixture): void {
  expect(verifyChain(statements, sealer).problems).toEqual([]);
  const runs = (database.prepare(`select ${RUN_COLUMNS} from runs`).all() as RunRow[]).map(readRun);
  for (const run of runs) {
    const isHeld = run.status === 'running';
    expect(run.ownerToken !== '', `claim of a ${run.status} run`).toBe(isHeld);
    expect(run.leaseExpiresAtMs > 0, `lease of a ${run.status} run`).toBe(isHeld);
    if (!isHeld) expect(run).toMatchObject({ fenceEffect: '', fenceCallId: '', workerId: '', phase: '' });
    if (isTerminal(run.status)) expect(livingParts(database, run.id)).toBe(0);
  }
}

function livingParts(database: RuntimeFixture['database'], runId: string): number {
  return database
    .prepare(
      `select (select count(*) from run_requests where run_id = :id) + (select count(*) from pending_turns where run_id = :id)
         + (select count(*) from transcript_chunks where run_id = :id)`,
    )
    .pluck()
    .get({ id: runId }) as number;
}

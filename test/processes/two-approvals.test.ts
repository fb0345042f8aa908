import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyInstallation } from '../../src-main/compose.ts';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import { eventually, openWorld, type World } from '../support/world.ts';

const ROUNDS = 100;
const LEAST_OVERLAPS = 80;
/** On a busy machine two processes may miss each other: more rounds are played until enough overlapped; all of them must hold. */
const MOST_ROUNDS = 150;
/** Long enough for both processes to have the message and wait for the moment. */
const LEAD_NS = 4_000_000n;

const renameNumbered = {
  version: 1,
  name: 'one write each',
  turns: [
    {
      calls: [
        {
          name: 'update_record',
          arguments: {
            database: 'target',
            table: 'items',
            key: { id: "{{ prompt.match('item (\\d+)') | number }}" },
            values: { name: 'new' },
          },
        },
      ],
    },
    { text: 'Done.' },
  ],
};

interface Report {
  startedNs: string;
  endedNs: string;
  answer: string;
}

describe('two people who approve the same card at the same moment', () => {
  let world: World;
  let deciders: ChildProcess[];
  let cards: PendingDecisionView[];

  beforeAll(async () => {
    world = await openWorld(renameNumbered);
    for (let id = 2; id <= MOST_ROUNDS; id += 1) world.target(`insert into items (id, name) values (${id}, 'old')`);
    world.target('delete from log');
    const pool = world.pool(2);
    const runs = [];
    for (let id = 1; id <= MOST_ROUNDS; id += 1) runs.push(await world.start(`Rename item ${id}`));
    cards = await Promise.all(
      runs.map((run) => eventually(() => world.opened.runtime.pendingDecision(world.opened.actor, run.id), 90_000)),
    );
    await pool.stop(5_000);
    deciders = [1, 2].map(() =>
      fork(join(import.meta.dirname, '..', 'support', 'decider.ts'), [world.databasePath], { execArgv: [] }),
    );
    await Promise.all(deciders.map((decider) => once(decider, 'message')));
  }, 120_000);

  afterAll(async () => {
    for (const decider of deciders) decider.disconnect();
    await Promise.all(deciders.map((decider) => once(decider, 'exit')));
    await world.dispose();
  });

  it('H-098 T-17 one is accepted, one is refused with a reason; one decision, one effect, each of 100 rounds', async () => {
    const reports: Report[][] = [];
    for (const { runId, turnDigest, previewRevision } of cards) {
      if (reports.length >= ROUNDS && overlapsIn(reports) >= LEAST_OVERLAPS) break;
      const answers = deciders.map(async (decider) => ((await once(decider, 'message')) as [Report])[0]);
      const atNs = String(process.hrtime.bigint() + LEAD_NS);
      for (const decider of deciders) decider.send({ runId, turnDigest, previewRevision, atNs });
      reports.push(await Promise.all(answers));
    }
    const overlaps = overlapsIn(reports);
    expect(overlaps).toBeGreaterThanOrEqual(LEAST_OVERLAPS);
    for (const round of reports) {
      expect(round.map((report) => report.answer).toSorted()).toEqual(['already_decided', 'ok']);
    }
    world.pool(2);
    for (const { runId } of cards.slice(0, reports.length)) {
      await eventually(
        async () => (await world.opened.runtime.status(world.opened.actor, runId))?.status === 'completed',
        60_000,
      );
      const kinds = await world.kinds(runId);
      expect(kinds.filter((kind) => kind === 'approval')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'tool_write')).toHaveLength(1);
    }
    expect(world.effects()).toHaveLength(reports.length);
    expect(verifyInstallation(world.opened).problems).toEqual([]);
    process.stdout.write(`two approvals: ${reports.length} rounds, ${overlaps} with overlap\n`);
  }, 120_000);
});

const overlapsIn = (reports: Report[][]): number => reports.filter(([one, two]) => overlap(one, two)).length;

/** Both were inside `approve` at one moment. */
function overlap(one: Report | undefined, two: Report | undefined): boolean {
  if (!one || !two) return false;
  return BigInt(one.startedNs) < BigInt(two.endedNs) && BigInt(two.startedNs) < BigInt(one.endedNs);
}

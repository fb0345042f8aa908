import { LabWorld } from './lab-world.ts';
import { ScenarioRun, until, type ScenarioEnd } from './scenario-steps.ts';

const RUNS = 6;

/**
 * Two hosts with two workers each on one file. Both approve every card at the same
 * time; when the writes are under way one of the hosts is killed.
 */
export async function twoHosts(hostEntry: string): Promise<{ end: ScenarioEnd; chain: string[] }> {
  const world = await LabWorld.open({ hostEntry, deaths: [] });
  const other = await world.anotherHost();
  try {
    const runs = Array.from({ length: RUNS }, () => new ScenarioRun(world, 'non-idempotent'));
    for (const run of runs) await run.startAndWait();
    await Promise.all(runs.flatMap((run) => [run.approve(world.host), run.approve(other)]));
    await until('the first write is recorded', async () => {
      const ends = await Promise.all(runs.map((run) => run.endState()));
      return ends.some(({ recorded }) => recorded > 0);
    });
    await other.kill();
    for (const run of runs) await run.ended();
    const ends = await Promise.all(runs.map((run) => run.endState()));
    return { end: ends.reduce(add), chain: world.chainProblems() };
  } finally {
    await other.stop();
    await world.dispose();
  }
}

function add(sum: ScenarioEnd, end: ScenarioEnd): ScenarioEnd {
  const words = (one: string, two: string): string => (one === two ? one : `${one}, ${two}`);
  return {
    status: words(sum.status, end.status),
    endReason: words(sum.endReason, end.endReason),
    effects: sum.effects + end.effects,
    recorded: sum.recorded + end.recorded,
    cards: sum.cards + end.cards,
    decisions: sum.decisions + end.decisions,
    answers: sum.answers + end.answers,
    uncertain: sum.uncertain + end.uncertain,
    attempts: sum.attempts + end.attempts,
    reclaimed: sum.reclaimed + end.reclaimed,
    retried: sum.retried + end.retried,
    refused: sum.refused + end.refused,
  };
}

import { verifyInstallation } from '../../src-main/compose.ts';
import { isTerminal } from '../../src-main/domain/run.ts';
import { RUN_STATUSES } from '../../src-shared/vocabulary.ts';
import type { World } from '../support/world.ts';

/** How many runs are named when something is wrong with them. */
const NAMED = 10;

export interface SoakVerdict {
  runs: Record<string, number>;
  effects: number;
  toolWrites: number;
  uncertainWrites: number;
  /** Runs that did not end. */
  open: number;
  /** Numbers of runs whose effects, events and uncertain writes do not explain each other. */
  unexplained: string[];
  chain: { events: number; problems: number };
  passed: boolean;
}

/** One run: what its target shows, and what the record says. */
interface Account {
  effects: number;
  writes: number;
  uncertain: number;
}

/**
 * Compares the target with the record, run by run: a recorded write has exactly one effect and every effect a recorded
 * write, except that an uncertain write, which a person is told of, may have had one.
 */
export async function judgeSoak(world: World, runs: number): Promise<SoakVerdict> {
  const { store, statements } = world.opened.installation;
  const count = (sql: string): Map<string, number> =>
    new Map((statements.database.prepare(sql).raw().all() as [string, number][]).map(([name, total]) => [name, total]));
  const effects = effectsByRun(world);
  const writes = count(`select label, count(*) from run_events join runs on runs.id = run_id
    where kind = 'tool_write' group by label`);
  const uncertain = count(
    'select label, count(*) from uncertain_writes join runs on runs.id = run_id where resolved_at_ms = 0 group by label',
  );
  const unexplained: string[] = [];
  for (const run of new Set([...effects.keys(), ...writes.keys(), ...uncertain.keys()])) {
    const account = {
      effects: effects.get(run) ?? 0,
      writes: writes.get(run) ?? 0,
      uncertain: uncertain.get(run) ?? 0,
    };
    if (!isExplained(account)) unexplained.push(run);
  }
  const byStatus = await store.countByStatus();
  const open = RUN_STATUSES.filter((status) => !isTerminal(status)).reduce((total, each) => total + byStatus[each], 0);
  const chain = verifyInstallation(world.opened);
  const ends = count(`select status || ' ' || end_reason, count(*) from runs group by 1`);
  const total = [...ends.values()].reduce((all, each) => all + each, 0);
  const isWhole = open === 0 && total === runs && writes.size > 0;
  return {
    runs: Object.fromEntries(ends),
    effects: effects.size,
    toolWrites: writes.size,
    uncertainWrites: uncertain.size,
    open,
    unexplained: unexplained.slice(0, NAMED),
    chain: { events: chain.events, problems: chain.problems.length },
    passed: isWhole && unexplained.length === 0 && chain.problems.length === 0,
  };
}

function isExplained({ effects, writes, uncertain }: Account): boolean {
  if (uncertain > 0) return uncertain === 1 && writes === 0 && effects <= 1;
  return writes === effects && writes <= 1;
}

/** The target's own log: a row for each record that was really written, under the name its run gave it. */
function effectsByRun(world: World): Map<string, number> {
  const rows = world.target('select name, count(*) as total from log group by name') as {
    name: string;
    total: number;
  }[];
  return new Map(rows.map(({ name, total }) => [name.replace('by run ', ''), total]));
}

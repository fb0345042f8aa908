import { hasDisplay } from './lib/electron-launch.mjs';
import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run bench [-- cold-start | life-cycle [PART]... | lists]`: figures as JSON, one object a bench; all of them unless one is named.
 * Never part of the tests: a figure of a busy machine says nothing.
 *
 * cold-start   the console with 10,000 runs beside a blank window of the same Electron; COUNTERSIGN_BENCH_RUNS and
 *              COUNTERSIGN_BENCH_REPEATS change the sizes
 * life-cycle   what a run's life costs beside bare SQL; parts: topologies, decisions, claims, idle, purge;
 *              COUNTERSIGN_BENCH_ROUNDS, COUNTERSIGN_BENCH_ROUND_MS, COUNTERSIGN_BENCH_PURGED and COUNTERSIGN_BENCH_FOLDER change rounds and disk
 * lists        inbox, filters, searches and facets with 1,000, 100,000 and 1,000,000 runs, and how fast events are stored and
 *              verified; COUNTERSIGN_BENCH_SIZES and COUNTERSIGN_BENCH_REPEATS change the sizes
 */

/** @type {Record<string, (words: string[]) => Promise<number>>} */
const benches = { 'cold-start': coldStart, 'life-cycle': lifeCycle, lists };

await runMain(async () => {
  const [name, ...words] = process.argv.slice(2);
  if (name !== undefined && !Object.hasOwn(benches, name)) {
    process.stderr.write(`There is no bench ${name}; there are ${Object.keys(benches).join(' and ')}.\n`);
    return 2;
  }
  const wanted = Object.entries(benches).filter(([each]) => name === undefined || each === name);
  let code = 0;
  for (const [, run] of wanted) code = (await run(words)) || code;
  return code;
});

async function coldStart() {
  const { node, electron } = await setUp({ withElectron: true, quiet: true });
  const env = { ...environmentOf(node), COUNTERSIGN_BENCH_ELECTRON: JSON.stringify(electron) };
  const command = [node, inProject('test', 'bench', 'cold-start.ts')];
  const withDisplay = hasDisplay() ? command : ['xvfb-run', '-a', ...command];
  return runForeground(withDisplay[0] ?? node, withDisplay.slice(1), env);
}

/** @param {string[]} parts */
async function lifeCycle(parts) {
  const { node } = await setUp({ withElectron: false, quiet: true });
  return runForeground(node, [inProject('test', 'bench', 'life-cycle.ts'), ...parts], environmentOf(node));
}

async function lists() {
  const { node } = await setUp({ withElectron: false, quiet: true });
  return runForeground(node, [inProject('test', 'bench', 'lists.ts')], environmentOf(node));
}

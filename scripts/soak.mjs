import { environmentOf, longRunning } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { providePackages, runMain } from './lib/set-up.mjs';

/*
 * `npm run soak [-- RUNS]`: 100,000 runs unless told, four worker processes of which one is killed every half a minute; then
 * target, record, chain and memory are compared. Prints JSON; exit code 1 when something does not fit. Takes hours: never part
 * of the tests. COUNTERSIGN_BENCH_FOLDER names a folder on the disk that is meant.
 */
await runMain(async () => {
  const node = await providePackages({ quiet: true });
  const words = process.argv.slice(2);
  return runForeground(node, [...longRunning, inProject('test', 'bench', 'soak.ts'), ...words], environmentOf(node));
});

import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { providePackages, runMain } from './lib/set-up.mjs';

/*
 * `npm run model [-- --runs N] [--seed N] [--path P]`: random lives of runs on the real store, beside the reference model of the
 * tests. 10,000 sequences of a new seed unless told; the tests play 2,000 that are always the same.
 */
await runMain(async () => {
  const node = await providePackages({ quiet: true });
  return runForeground(
    node,
    [inProject('test', 'model', 'run-model.ts'), ...process.argv.slice(2)],
    environmentOf(node),
  );
});

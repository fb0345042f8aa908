import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run gates [-- WORDS]`: takes each gate, guard and seal out of a copy of the sources, and the rules of a sample of cases, and
 * proves that a test notices. Takes minutes; the tests only prove that each rule is still where the table says.
 */
await runMain(async () => {
  const { node } = await setUp({ withElectron: false, quiet: true });
  return runForeground(
    node,
    [inProject('test', 'gates', 'run-gates.ts'), ...process.argv.slice(2)],
    environmentOf(node),
  );
});

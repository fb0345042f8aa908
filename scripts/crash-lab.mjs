import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run crash-lab`: real hosts and workers, killed at every labelled point, stopped, starved of disk and lock; then the same with
 * each protection taken out, which must be noticed. Writes docs/crash-lab.md. Takes minutes; the tests play a part of it. Words
 * choose by name: `npm run crash-lab -- after_decide "disk full"`.
 */
await runMain(async () => {
  const { node } = await setUp({ withElectron: false, quiet: true });
  return runForeground(
    node,
    [inProject('test', 'crash-lab', 'run-lab.ts'), ...process.argv.slice(2)],
    environmentOf(node),
  );
});

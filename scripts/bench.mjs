import { hasDisplay } from './lib/electron-launch.mjs';
import { environmentOf } from './lib/node-binary.mjs';
import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run bench`: cold start of the console with 10,000 runs beside a blank window of the same Electron. Never part of the
 * tests: a figure of a busy machine says nothing. COUNTERSIGN_BENCH_RUNS and COUNTERSIGN_BENCH_REPEATS change the sizes.
 */
await runMain(async () => {
  const { node, electron } = await setUp({ withElectron: true, quiet: true });
  const env = { ...environmentOf(node), COUNTERSIGN_BENCH_ELECTRON: JSON.stringify(electron) };
  const command = [node, inProject('test', 'bench', 'cold-start.ts')];
  const withDisplay = hasDisplay() ? command : ['xvfb-run', '-a', ...command];
  return runForeground(withDisplay[0] ?? node, withDisplay.slice(1), env);
});

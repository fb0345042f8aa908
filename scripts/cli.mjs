import { inProject } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm run -s cli -- <command>`: the command line, which needs neither Electron nor a display. Standard output belongs to the
 * command alone; set-up speaks on standard error, and only when it has something to do.
 */
await runMain(async () => {
  const { node } = await setUp({ withElectron: false, quiet: true });
  return runForeground(node, [inProject('out', 'main', 'cli.js'), ...process.argv.slice(2)]);
});

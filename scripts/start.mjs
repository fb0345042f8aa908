import { electronLaunch, hasDisplay } from './lib/electron-launch.mjs';
import { longRunning } from './lib/node-binary.mjs';
import { inProject, projectRoot } from './lib/places.mjs';
import { runForeground } from './lib/processes.mjs';
import { runMain, setUp } from './lib/set-up.mjs';

/*
 * `npm start`: the window where there is a display, else the headless host, which prints its address. The headless host never
 * reaches Electron, so a machine without a display does not have to get one. Arguments go to the app.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const { node, electron } = await setUp({ withElectron: hasDisplay() });
  if (electron === undefined)
    return runForeground(node, [...longRunning, inProject('out', 'main', 'headless.js'), ...args]);
  const launch = electronLaunch(electron);
  if (launch.note) process.stderr.write(`start  ${launch.note}\n`);
  return runForeground(launch.executable, [...launch.args, projectRoot, ...args], launch.env);
});

import { basename } from 'node:path';
import { capture } from './processes.mjs';

/**
 * Runs npm and collects its output.
 *
 * Inside an npm script npm tells where it is and which Node runs it; those two are used, because the first `node` on the PATH
 * of a script is the one in node_modules, which an install may be about to replace. `--loglevel=error` drops the engine
 * warnings of packages that want a newer Node than the host's (they never run on it) and undoes `npm run -s`, whose
 * silence would be inherited and hide the reason of a failure.
 *
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 */
export function npm(args, options) {
  const quietly = [...args, '--loglevel=error'];
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && node && basename(cli) === 'npm-cli.js') return capture(node, [cli, ...quietly], options);
  // Windows finds npm.cmd only through a shell; the arguments are all ours and need no quoting.
  if (process.platform === 'win32') return capture('cmd.exe', ['/d', '/s', '/c', 'npm', ...quietly], options);
  return capture('npm', quietly, options);
}

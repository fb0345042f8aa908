/* Changes the key of an installation and kills itself at the given time it reaches a point; started by the test of key changes. */
import { changeDataKey } from '../../src-main/compose-care.ts';
import { openConsole } from '../../src-main/compose.ts';

const [databasePath = '', point = '', time = ''] = process.argv.slice(2);
let left = Number(time);
changeDataKey(openConsole(databasePath), (reached) => {
  if (reached !== point) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});

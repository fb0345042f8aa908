/**
 * A worker process for tests of the supervisor: `pool-worker.ts <folder> <behaviour>`.
 * Holds its proof of life, says `ready`, and writes what it is told to `<id>.told`.
 * `crash` ends at once; `stubborn` does not stop; `loud` tells the others to wake once.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FromWorker, ToWorker } from '../../src-main/workers/worker-messages.ts';
import { holdAliveLock } from '../../src-main/system/alive-lock.ts';

const [folder = '', behaviour = ''] = process.argv.slice(2);
const say = (message: FromWorker): void => void process.send?.(message);
let id = '';

process.on('message', (message: ToWorker) => {
  if (message.type === 'start') {
    id = message.workerId;
    if (behaviour === 'crash') process.exit(3);
    holdAliveLock(join(folder, `${id}.alive`));
    say({ type: 'ready' });
    return;
  }
  appendFileSync(join(folder, `${id}.told`), `${message.type}\n`);
  if (message.type === 'wake' && behaviour === 'loud') say({ type: 'changed', wakes: true });
  if (message.type === 'stop' && behaviour !== 'stubborn') process.exit(0);
});

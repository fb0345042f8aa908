/** Holds proofs of life until it is killed: `hold-alive.ts <path> …`; says `held` once it has them all. */
import { holdAliveLock } from '../../src-main/system/alive-lock.ts';

for (const path of process.argv.slice(2)) holdAliveLock(path);
process.send?.('held');
// The channel keeps the process alive.
process.on('message', () => undefined);

/*
 * The host without a display: the same console and worker pool as the window, with
 * its page on loopback HTTP. `npm start` starts it where there is no display.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runHeadless } from './cli/serve.ts';

const { values } = parseArgs({
  options: { db: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, workers: { type: 'string' } },
});
const databasePath = values.db ?? (values.data ? join(values.data, 'countersign.db') : undefined);
process.exitCode = await runHeadless({
  databasePath,
  port: Number(values.port ?? 0),
  workers: Number(values.workers ?? 2),
  callerUrl: import.meta.url,
  print: (line) => process.stdout.write(`${line}\n`),
});

/*
 * The host without a display: the same console and worker pool as the window, with
 * its page on loopback HTTP. `npm start` starts it where there is no display.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openConsole, startHeadlessHost } from './compose.ts';
import { hostLines } from './ipc/host-lines.ts';
import { isAtTerminal, onEnter } from './system/enter-key.ts';
import { untilSignal } from './system/until-signal.ts';
import { wholeNumber } from './system/whole-number.ts';

const { values } = parseArgs({
  options: { db: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, workers: { type: 'string' } },
});
const port = wholeNumber(values.port ?? '0', 0, 65_535);
const workers = wholeNumber(values.workers ?? '2', 1, 8);
if (port === null || workers === null) {
  process.stderr.write('--port is a whole number from 0 to 65535, --workers one from 1 to 8.\n');
  process.exit(2);
}
const opened = openConsole(values.db ?? (values.data ? join(values.data, 'countersign.db') : undefined));
const host = await startHeadlessHost(opened, { port, workers, callerUrl: import.meta.url });
process.stdout.write(`${hostLines(host.address, opened.installation, isAtTerminal()).join('\n')}\n`);
const stopListening = onEnter(() => process.stdout.write(`another window  ${host.newAddress()}\n`));
await untilSignal();
stopListening();
await host.stop();
opened.close();

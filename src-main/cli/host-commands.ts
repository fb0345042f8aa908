import { startOwnWorker } from '../compose-worker.ts';
import { startHeadlessHost } from '../compose.ts';
import { hostLines } from '../ipc/host-lines.ts';
import { onEnter } from '../system/enter-key.ts';
import { untilSignal } from '../system/until-signal.ts';
import { EXIT, integerOption, type Command } from './command.ts';

export const serve: Command = {
  usage: '[--port N] [--workers N]',
  summary: 'Start the host without a window: page, workers, everything; stop with Ctrl+C',
  options: { port: { type: 'string' }, workers: { type: 'string' } },
  async run(invocation) {
    const port = integerOption(invocation, 'port', 0, 0, 65_535);
    const workers = integerOption(invocation, 'workers', 2, 1, 8);
    const opened = invocation.open('create');
    const host = await startHeadlessHost(opened, { port, workers, callerUrl: invocation.callerUrl });
    const { paths, keyProtection } = opened.installation;
    invocation.answer(
      { address: host.address, database: paths.database, keyProtection },
      hostLines(host.address, opened.installation, invocation.canAsk),
    );
    const stopListening = invocation.canAsk
      ? onEnter(() => invocation.print(`another window  ${host.newAddress()}`))
      : () => undefined;
    await untilSignal();
    stopListening();
    await host.stop();
    return EXIT.ok;
  },
};

export const worker: Command = {
  usage: '[--until-idle]',
  summary: 'Execute due runs in this process; stop with Ctrl+C',
  options: { 'until-idle': { type: 'boolean' } },
  async run(invocation) {
    const started = await startOwnWorker(invocation.open(), invocation.callerUrl);
    invocation.print('The worker runs. Stop it with Ctrl+C.');
    await (invocation.options['until-idle'] ? Promise.race([started.loop.idle(), untilSignal()]) : untilSignal());
    await started.stop();
    invocation.answer({ stopped: true }, ['The worker has stopped.']);
    return EXIT.ok;
  },
};

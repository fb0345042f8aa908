import { randomUUID } from 'node:crypto';
import { startWorker } from '../compose.ts';
import { createFileLog } from '../system/log.ts';
import { siblingEntry } from '../system/entry-path.ts';
import { forkNode } from '../system/node-fork.ts';
import { untilSignal } from '../system/until-signal.ts';
import { sweepDeadWorkers } from '../workers/reaper.ts';
import { EXIT, integerOption, type Command } from './command.ts';
import { runHeadless } from './serve.ts';

export const serve: Command = {
  usage: '[--port N] [--workers N]',
  summary: 'Start the host without a window: page, workers, everything; stop with Ctrl+C',
  options: { port: { type: 'string' }, workers: { type: 'string' } },
  run: (invocation) =>
    runHeadless({
      databasePath: invocation.databasePath,
      port: integerOption(invocation, 'port', 0, 0, 65_535),
      workers: integerOption(invocation, 'workers', 2, 1, 8),
      callerUrl: invocation.callerUrl,
      print: invocation.print,
    }),
};

export const worker: Command = {
  usage: '[--until-idle]',
  summary: 'Execute due runs in this process; stop with Ctrl+C',
  options: { 'until-idle': { type: 'boolean' } },
  async run(invocation) {
    const opened = invocation.open();
    const { paths, store, dataKey } = opened.installation;
    const report = createFileLog(paths.log, opened.clock.nowMs);
    const reaper = { store, clock: opened.clock, workersFolder: paths.workers, report };
    // Runs of workers that died with their host are taken back before anything new is claimed.
    await sweepDeadWorkers(reaper);
    const started = startWorker({
      workerId: randomUUID(),
      databasePath: paths.database,
      dataKey,
      transport: 'cli',
      forkToolChild: (aliveFile) =>
        forkNode(siblingEntry(invocation.callerUrl, 'tool-child'), { COUNTERSIGN_ALIVE_FILE: aliveFile }),
    });
    invocation.print('The worker runs. Stop it with Ctrl+C.');
    const sweeping = setInterval(() => {
      sweepDeadWorkers(reaper).catch((error: unknown) => report(error, 'sweep'));
    }, SWEEP_MS);
    await (invocation.options['until-idle'] ? Promise.race([started.loop.idle(), untilSignal()]) : untilSignal());
    clearInterval(sweeping);
    await started.stop();
    invocation.answer({ stopped: true }, ['The worker has stopped.']);
    return EXIT.ok;
  },
};

const SWEEP_MS = 1_000;

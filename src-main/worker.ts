/*
 * A worker process. Waits for the message that says who it is, then claims and
 * executes runs until it is told to stop or its host goes away. Started by the
 * supervisor; the same file runs under plain Node and as a utility process.
 */
import { probeModelOnce, startWorker, type Worker } from './compose-worker.ts';
import { siblingEntry } from './system/entry-path.ts';
import { parentChannel } from './system/parent-channel.ts';
import { forkNodeChild } from './tools/child-channel.ts';
import type { FromWorker, ToWorker } from './workers/worker-messages.ts';

const channel = parentChannel<ToWorker, FromWorker>();
let worker: Worker | null = null;

/** A stop that takes longer than the host allows is ended by the host. */
async function stop(code: number): Promise<never> {
  const stopping = worker;
  worker = null;
  await stopping?.stop();
  process.exit(code);
}

channel.onMessage((message) => {
  switch (message.type) {
    case 'start':
      worker = startWorker({
        workerId: message.workerId,
        databasePath: message.databasePath,
        dataKey: Buffer.from(message.dataKey, 'base64'),
        transport: 'pool',
        forkToolChild: forkNodeChild(siblingEntry(import.meta.url, 'tool-child'), message.crashPoint),
        crashPoint: message.crashPoint,
        onCommitted: (wakes) => channel.send({ type: 'changed', wakes }),
      });
      // A loop that ends by itself cannot store anything any more; only the end of this process frees its runs.
      void worker.loop.ended.then(() => {
        if (worker) process.exit(1);
      });
      channel.send({ type: 'ready' });
      return;
    case 'wake':
      worker?.loop.wake();
      return;
    case 'probe_model':
      void probeModelOnce(message.model, message.apiKey).then((result) =>
        channel.send({ type: 'model_probed', id: message.id, result }),
      );
      return;
    case 'stop':
      void stop(0);
  }
});
// Ctrl+C at a terminal reaches the whole group of processes: the host alone says when to stop, and how long that may take.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void stop(0));
// The host is gone: finish what is in flight, start nothing, hand the rest back.
channel.onClose(() => void stop(0));

import type { AliveLock } from '../system/alive-lock.ts';
import { environmentVariable } from '../system/environment.ts';
import { parentChannel } from '../system/parent-channel.ts';
import type { ToolRegistry } from './registry.ts';
import { handleToolRequest } from './tool-host.ts';
import { ALIVE_FILE_VARIABLE, type ToolReply, WORKER_PID_VARIABLE, isToolRequest } from './tool-protocol.ts';

/** Exit codes of a child, for the log of its parent. */
const EXIT = { workerGone: 0, misused: 64, badMessage: 65 } as const;

/**
 * Runs this process as a tool child: takes the proof of life named in the
 * environment, then says `ready`, then handles requests one after the other. Ends at
 * once when the worker is gone, and asks once more right before each request, so
 * that nothing starts that nobody waits for; what runs at that moment finishes under
 * the proof of life. `beforeResult` is called when a call has been executed and its
 * worker does not know yet.
 */
export function startToolChild(
  registry: ToolRegistry,
  hold: (path: string) => AliveLock,
  beforeResult: () => void,
): void {
  const aliveFile = environmentVariable(ALIVE_FILE_VARIABLE);
  if (!aliveFile) {
    process.stderr.write('tool-child is started by a worker, not by hand\n');
    process.exit(EXIT.misused);
  }
  const channel = parentChannel<unknown, ToolReply>();
  channel.onClose(() => process.exit(EXIT.workerGone));
  hold(aliveFile);
  // Ctrl+C reaches the whole group of processes; a write is not cut off by it, the worker ends this child.
  process.on('SIGINT', () => undefined);
  let queue: Promise<void> = Promise.resolve();
  channel.onMessage((message) => {
    queue = queue.then(async () => {
      // A closed channel is noticed by the event loop: let it look before anything starts.
      await new Promise((resolve) => setImmediate(resolve));
      if (!channel.isOpen() || isWorkerGone()) process.exit(EXIT.workerGone);
      if (!isToolRequest(message)) process.exit(EXIT.badMessage);
      await handleToolRequest(registry, message, (reply) => {
        if (reply.kind === 'result') beforeResult();
        channel.send(reply);
      });
    });
  });
  channel.send({ kind: 'ready' });
}

/** Whether the worker died: its children get another parent at once. Windows keeps the number, so the process is asked. */
function isWorkerGone(): boolean {
  const workerPid = Number(environmentVariable(WORKER_PID_VARIABLE));
  if (!workerPid) return false;
  if (process.platform !== 'win32') return process.ppid !== workerPid;
  try {
    process.kill(workerPid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

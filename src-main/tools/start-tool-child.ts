import type { AliveLock } from '../system/alive-lock.ts';
import type { ToolRegistry } from './registry.ts';
import { handleToolRequest } from './tool-host.ts';
import { ALIVE_FILE_VARIABLE, type ToolReply, WORKER_PID_VARIABLE, isToolRequest } from './tool-protocol.ts';

/** Exit codes of a child, for the log of its parent. */
const EXIT = { workerGone: 0, misused: 64, badMessage: 65 } as const;

/** Electron's side of a utility process; Node has `process.send` instead. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

interface Channel {
  send(reply: ToolReply): void;
  onMessage(listener: (message: unknown) => void): void;
  isOpen(): boolean;
}

/**
 * Runs this process as a tool child: takes the proof of life named in the
 * environment, then says `ready`, then handles requests one after the other. Ends at
 * once when the worker is gone, and asks once more right before each request, so
 * that nothing starts that nobody waits for; what runs at that moment finishes under
 * the proof of life.
 */
export function startToolChild(registry: ToolRegistry, hold: (path: string) => AliveLock): void {
  const aliveFile = process.env[ALIVE_FILE_VARIABLE];
  const channel = openChannel();
  if (!aliveFile || !channel) {
    process.stderr.write('tool-child is started by a worker, not by hand\n');
    process.exit(EXIT.misused);
  }
  hold(aliveFile);
  let queue: Promise<void> = Promise.resolve();
  channel.onMessage((message) => {
    queue = queue.then(async () => {
      // A closed channel is noticed by the event loop: let it look before anything starts.
      await new Promise((resolve) => setImmediate(resolve));
      if (!channel.isOpen() || isWorkerGone()) process.exit(EXIT.workerGone);
      if (!isToolRequest(message)) process.exit(EXIT.badMessage);
      await handleToolRequest(registry, message, channel.send);
    });
  });
  channel.send({ kind: 'ready' });
}

/** Whether the worker died: its children get another parent at once. Windows keeps the number, so the process is asked. */
function isWorkerGone(): boolean {
  const workerPid = Number(process.env[WORKER_PID_VARIABLE]);
  if (!workerPid) return false;
  if (process.platform !== 'win32') return process.ppid !== workerPid;
  try {
    process.kill(workerPid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function openChannel(): Channel | null {
  const port = (process as { parentPort?: ParentPort }).parentPort;
  if (port) {
    return {
      send: (reply) => port.postMessage(reply),
      onMessage: (listener) => port.on('message', (event) => listener(event.data)),
      // Electron ends utility processes together with their host.
      isOpen: () => true,
    };
  }
  if (!process.send) return null;
  process.on('disconnect', () => process.exit(EXIT.workerGone));
  return {
    // An answer nobody can receive any more: the process ends with `disconnect`.
    send: (reply) => void process.send?.(reply, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
    isOpen: () => process.connected,
  };
}

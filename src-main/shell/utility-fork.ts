import { utilityProcess } from 'electron';
import { childEnvironment, type ForkedProcess } from '../system/node-fork.ts';

/** Forks a script of ours as an Electron utility process; the same shape as `forkNode`. */
export function forkUtility<Sent, Received>(script: string, serviceName: string): ForkedProcess<Sent, Received> {
  const child = utilityProcess.fork(script, [], { serviceName, stdio: 'inherit', env: childEnvironment() });
  return {
    get pid() {
      return child.pid;
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window: there is no origin
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', (message: Received) => listener(message)),
    onExit: (listener) => void child.once('exit', (code) => listener(code)),
    // Electron's own `kill` asks politely; a worker that hangs must not be able to refuse.
    kill() {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
  };
}

import { fork } from 'node:child_process';
import { ALIVE_FILE_VARIABLE, WORKER_PID_VARIABLE } from './tool-protocol.ts';

/** A child process as the runner sees it; Node and Electron each have their own behind it. */
export interface ChildLike {
  /** Faults: may throw when the channel is already closed. */
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the process is gone for certain, or could not be started. */
  onExit(listener: () => void): void;
  /** Ends the process so that it cannot resist: SIGKILL, not a request. */
  kill(): void;
}

/** Starts a tool child that takes its proof of life at `aliveFile`. */
export type ForkChild = (aliveFile: string) => ChildLike;

/**
 * Starts tool children with Node's own `fork`. `entry` is the file of tool-child.
 * Children inherit the environment but none of the flags of this process; their
 * output goes to this process's error stream.
 */
export function forkNodeChild(entry: string, environment: NodeJS.ProcessEnv = process.env): ForkChild {
  return (aliveFile) => {
    const child = fork(entry, [], {
      env: { ...environment, [ALIVE_FILE_VARIABLE]: aliveFile, [WORKER_PID_VARIABLE]: String(process.pid) },
      execArgv: [],
      serialization: 'json',
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    return {
      send: (message) => {
        // A closed channel is reported by `exit`; the callback keeps it from becoming an unhandled error as well.
        child.send(message as object, () => undefined);
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => {
        let isTold = false;
        const tell = (): void => {
          if (isTold) return;
          isTold = true;
          listener();
        };
        child.once('exit', tell);
        // An error without a process: it never started. With one, only `exit` proves that it is gone.
        child.on('error', () => {
          if (child.pid === undefined) tell();
        });
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

import { fork } from 'node:child_process';

/** A child process with a message channel, the same shape for plain Node and for Electron's utility processes. */
export interface ForkedProcess<Sent, Received> {
  readonly pid: number | undefined;
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
  /** Called once, however the process ended. */
  onExit(listener: (code: number | null) => void): void;
  /** SIGKILL: nothing a child does can prevent it. */
  kill(): void;
}

/**
 * Forks a script of ours under the running Node. Messages to a child that is gone are
 * dropped: its exit is what tells the caller.
 */
export function forkNode<Sent, Received>(
  script: string,
  environment: NodeJS.ProcessEnv = {},
): ForkedProcess<Sent, Received> {
  const child = fork(script, [], {
    env: { ...process.env, ...environment },
    // None of this process's own flags (a debugger port, a test runner's loader) is the child's.
    execArgv: [],
    serialization: 'json',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let hasEnded = false;
  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on('message', (message) => listener(message as Received)),
    onExit(listener) {
      const ended = (code: number | null): void => {
        if (hasEnded) return;
        hasEnded = true;
        listener(code);
      };
      child.on('exit', ended);
      // A process that could not even be started has no exit of its own.
      child.on('error', () => {
        if (child.exitCode === null && child.pid === undefined) ended(null);
      });
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

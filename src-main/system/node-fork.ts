import { fork } from 'node:child_process';
import { CRASH_POINT_VARIABLE } from './crash-point-setting.ts';

/** A child process with a message channel, the same shape for plain Node and for Electron's utility processes. */
export interface ForkedProcess<Sent, Received> {
  readonly pid: number | undefined;
  /** A message to a child that is gone is dropped: its exit is what tells. */
  send(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
  /** Called once, when the process is gone for certain or could not be started. */
  onExit(listener: (code: number | null) => void): void;
  /** SIGKILL: nothing a child does can prevent it. */
  kill(): void;
}

/** The environment of a child: ours, without passphrases, of the data key and of people, and without what makes a process kill itself. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    name !== CRASH_POINT_VARIABLE && !/^COUNTERSIGN_(\w+_)?PASSPHRASE$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)));
}

/**
 * Bounds the part of the heap in which values are born, in MB. On a machine with much memory V8 lets it grow to several times
 * this and keeps it (docs/decisions/0035).
 */
const V8_FLAGS = ['--max-semi-space-size=16'];

/** Under Electron the running program is not Node unless it is told to be. */
const AS_NODE = process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {};

/**
 * Forks a script of ours under the running Node. The child gets this process's
 * environment (see `childEnvironment`) and none of its flags (a debugger port, a test runner's loader); its
 * output goes to standard error, because standard output belongs to the command.
 */
export function forkNode<Sent, Received>(
  script: string,
  environment: NodeJS.ProcessEnv = {},
): ForkedProcess<Sent, Received> {
  const child = fork(script, [], {
    env: { ...childEnvironment(), ...AS_NODE, ...environment },
    execArgv: V8_FLAGS,
    serialization: 'json',
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      // The callback keeps a channel that closes meanwhile from becoming an unhandled error.
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on('message', (message) => listener(message as Received)),
    onExit(listener) {
      let isTold = false;
      const tell = (code: number | null): void => {
        if (isTold) return;
        isTold = true;
        listener(code);
      };
      child.once('exit', tell);
      // An error without a process: it never started. With one, only `exit` proves that it is gone.
      child.on('error', () => {
        if (child.pid === undefined) tell(null);
      });
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

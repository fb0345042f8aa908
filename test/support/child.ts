import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of ours that runs one script of this folder and talks over its channel. */
export interface Child {
  /** The next message; a fault when the process ends before it. */
  message<T>(): Promise<T>;
  send(message: string): void;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Ends the process for good, whatever it does. */
  stop(): Promise<void>;
}

/** Starts `test/support/<script>`; every argument travels as text. */
export function startChild(script: string, ...args: (string | number)[]): Child {
  const child: ChildProcess = fork(join(import.meta.dirname, script), args.map(String), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  child.on('message', (message) => {
    const next = waiting.shift();
    if (next) next(message);
    else received.push(message);
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    message<T>() {
      if (received.length > 0) return Promise.resolve(received.shift() as T);
      return Promise.race([
        new Promise<T>((resolve) => waiting.push(resolve as (message: unknown) => void)),
        ended.then((code) => {
          if (received.length > 0) return received.shift() as T;
          throw new Error(`${script} ended with ${code} before it answered.`);
        }),
      ]);
    },
    send: (message) => child.send(message),
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** For scripts: says something to the test. */
export function say(message: unknown): void {
  if (!process.send) throw new Error('This script is started by a test.');
  process.send(message);
}

/** For scripts: waits for the test to say `expected`. */
export function hear(expected: string): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (message !== expected) return;
      process.off('message', listen);
      resolve();
    };
    process.on('message', listen);
  });
}

/** For scripts: lets the process end by itself. */
export function finish(): void {
  process.disconnect?.();
}

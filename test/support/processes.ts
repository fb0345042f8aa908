import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A real process that runs a script of this folder. */
export interface ScriptProcess {
  child: ChildProcess;
  pid: number;
  /** Ends it the way a power cut would, and returns once it is gone. */
  kill(): Promise<void>;
}

/** Starts scripts; whatever still runs after a test is ended, stopped processes too. */
export function useProcesses(): (script: string, ...args: string[]) => ScriptProcess {
  const started: ScriptProcess[] = [];
  afterEach(() => Promise.all(started.splice(0).map((each) => each.kill())));
  return (script, ...args) => {
    const child = fork(join(import.meta.dirname, script), args, {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const gone = once(child, 'exit');
    const each: ScriptProcess = {
      child,
      pid: child.pid ?? -1,
      async kill() {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await gone;
      },
    };
    started.push(each);
    return each;
  };
}

/** Waits in real time, for what real processes do. Faults: after ten seconds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > 10_000) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

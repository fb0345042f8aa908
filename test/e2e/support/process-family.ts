import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** A process and everything it started, deepest first; only what still runs. */
export function familyOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = new Map<number, number[]>();
  for (const row of rows) {
    const [child = 0, parent = 0] = row.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((child) => [...below(child), child]);
  return [...below(pid), pid].filter(isAlive);
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process, or not one of ours: in both cases nothing that a test could end.
    return false;
  }
}

/** Ends every process of the list at once, as a power cut would, and returns when all are gone. Faults: after ten seconds. */
export async function killAll(pids: number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGKILL');
  const startedMs = performance.now();
  while (pids.some((pid) => isAlive(pid) && !isZombie(pid))) {
    if (performance.now() - startedMs > 10_000)
      throw new Error(`Still there after SIGKILL: ${pids.filter(isAlive).join(', ')}`);
    await pause(20);
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ended, but not yet collected by its parent: it holds no file and no lock any more. */
function isZombie(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    // `ps` fails when there is no such process.
    return true;
  }
}

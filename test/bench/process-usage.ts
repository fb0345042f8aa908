import { readFileSync } from 'node:fs';

/** What a process has used since it started. Null = this system does not show it. */
export interface Usage {
  cpuMs: number;
  /** Handed to the file system by write calls, the messages of its channel included. */
  writtenBytes: number | null;
  /** Of these, what had to reach the disk. */
  diskBytes: number | null;
}

/** Of this process. */
export function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  const io = procFile(process.pid, 'io');
  return {
    cpuMs: (user + system) / 1_000,
    writtenBytes: numberAfter(io, 'wchar'),
    diskBytes: numberAfter(io, 'write_bytes'),
  };
}

/** From one look to a later one. */
export function usedBetween(before: Usage, after: Usage): Usage {
  const less = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b);
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    writtenBytes: less(after.writtenBytes, before.writtenBytes),
    diskBytes: less(after.diskBytes, before.diskBytes),
  };
}

/** Of several processes together. */
export function together(usages: readonly Usage[]): Usage {
  const add = (field: 'writtenBytes' | 'diskBytes'): number | null =>
    usages.reduce<number | null>((total, usage) => {
      const value = usage[field];
      return total === null || value === null ? null : total + value;
    }, 0);
  return {
    cpuMs: usages.reduce((total, { cpuMs }) => total + cpuMs, 0),
    writtenBytes: add('writtenBytes'),
    diskBytes: add('diskBytes'),
  };
}

/** Resident memory of a process in bytes; null when it is gone or the system does not show it. */
export function residentBytes(pid: number): number | null {
  const kilobytes = numberAfter(procFile(pid, 'status'), 'VmRSS');
  return kilobytes === null ? null : kilobytes * 1_024;
}

/** Processor time another process has used, in milliseconds; null as above. Linux counts it in hundredths of a second. */
export function cpuMsOf(pid: number): number | null {
  const stat = procFile(pid, 'stat');
  if (stat === null) return null;
  // The name of the program, in parentheses, may hold anything; the fields after it are fixed.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The processes a process has started and that still run. */
export function childPids(pid: number): number[] {
  const listed = procFile(pid, `task/${pid}/children`) ?? '';
  return listed.split(' ').filter(Boolean).map(Number);
}

function procFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // ESRCH: it ended between opening and reading.
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}

function numberAfter(text: string | null, name: string): number | null {
  const found = text === null ? null : new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1];
  return found ? Number(found) : null;
}

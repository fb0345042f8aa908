import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabWorld } from './lab-world.ts';

/** A place for an installation that can be made full, and have room again. */
export interface SmallDisk {
  dataFolder: string;
  /** No write of host or workers that needs more room succeeds from here on. */
  fill(world: LabWorld): Promise<void>;
  free(world: LabWorld): Promise<void>;
  remove(): void;
}

/** Room for a young installation, and little to fill. */
const SIZE_BYTES = 16 * 1024 * 1024;

/**
 * A file system of 16 MB in memory, which really gets full (ENOSPC). Where mounting
 * is not permitted, a limit on the size of files for host and workers (RLIMIT_FSIZE,
 * EFBIG): the same refused writes with another number.
 * Faults: where there is neither `mount` nor `prlimit`, as on macOS and Windows.
 */
export function smallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-disk-'));
  return canMount(folder) ? mountedDisk(folder) : limitedDisk(folder);
}

function canMount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    // Not root, or a container without the right: the other way is taken.
    return false;
  }
}

function mountedDisk(folder: string): SmallDisk {
  const filler = join(folder, 'filler');
  return {
    dataFolder: join(folder, 'console'),
    async fill() {
      for (let bytes = SIZE_BYTES; bytes > 0; bytes = Math.floor(bytes / 2)) grow(filler, bytes);
    },
    async free() {
      rmSync(filler);
    },
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Appends as much as fits, less than `bytes` when the disk is full before. */
function grow(path: string, bytes: number): void {
  try {
    writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function limitedDisk(folder: string): SmallDisk {
  const limit = async (world: LabWorld, soft: string): Promise<void> => {
    const workers = await world.host.workers();
    for (const pid of [world.host.pid, ...workers.map((worker) => worker.pid)])
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:`]);
  };
  return {
    dataFolder: join(folder, 'console'),
    fill: (world) => limit(world, String(statSync(`${world.databasePath}-wal`).size)),
    free: (world) => limit(world, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

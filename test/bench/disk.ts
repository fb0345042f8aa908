import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `statfs` calls file systems that live in memory, where an fsync costs nothing: tmpfs and ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6];

/** Where figures are measured. */
export interface Disk {
  folder: string;
  /** Device and kind of its file system, as the system names them. */
  fileSystem: string;
}

/**
 * A new folder on a real disk: in COUNTERSIGN_BENCH_FOLDER, else in the system's temporary folder, else, where that is
 * memory, in the checkout. From here on every temporary folder of this process and its children is made inside it.
 * Faults: when none of them is on a disk.
 */
export function openDisk(): Disk {
  const wanted = process.env.COUNTERSIGN_BENCH_FOLDER;
  const checkout = join(import.meta.dirname, '..', '..', 'test-results');
  const places = wanted ? [wanted] : [tmpdir(), checkout];
  for (const place of places) {
    mkdirSync(place, { recursive: true });
    if (IN_MEMORY.includes(statfsSync(place).type)) continue;
    const folder = mkdtempSync(join(place, 'countersign-bench-'));
    process.env.TMPDIR = folder;
    return { folder, fileSystem: fileSystemOf(folder) };
  }
  throw new Error(`${places.join(' and ')} are memory, not a disk. Name a folder with COUNTERSIGN_BENCH_FOLDER.`);
}

/** Deletes everything that was made on it. */
export const disposeDisk = ({ folder }: Disk): void => rmSync(folder, { recursive: true, force: true });

/** The mount with the longest path that leads to the folder. */
function fileSystemOf(folder: string): string {
  if (process.platform !== 'linux') return process.platform;
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, path = '']) => path !== '' && `${folder}/`.startsWith(path.endsWith('/') ? path : `${path}/`));
  const [device = 'unknown', , kind = 'unknown'] =
    mounts.toSorted(([, a = ''], [, b = '']) => b.length - a.length)[0] ?? [];
  return `${kind} on ${device}`;
}

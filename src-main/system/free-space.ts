import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const MEBIBYTE = 1_048_576;
/** A long transcript with its copies in the write-ahead log stays well below it. */
export const DISK_FLOOR_MB = 200;
/** How long an answer holds: asking costs a system call, and a disk fills slowly beside it. */
const KEEP_MS = 5_000;

/** Free space for ordinary users on the disk of `path`, in mebibytes. Faults: what the file system says. */
export function freeMegabytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return Math.floor((bavail * bsize) / MEBIBYTE);
}

/**
 * Asks, at most every few seconds, whether the disk of `path` has more than `floorMb`
 * left. A disk that cannot be asked counts as having room: writing to it will tell.
 */
export function createRoomCheck(
  path: string,
  floorMb: number,
  monotonicMs: () => number,
  report: (error: unknown, where: string) => void,
): () => boolean {
  let known = { atMs: Number.NEGATIVE_INFINITY, hasRoom: true };
  return () => {
    const nowMs = monotonicMs();
    if (nowMs - known.atMs < KEEP_MS) return known.hasRoom;
    const before = known.hasRoom;
    known = { atMs: nowMs, hasRoom: true };
    try {
      known.hasRoom = freeMegabytes(path) > floorMb;
      if (before && !known.hasRoom) report(new Error(`Less than ${floorMb} MB are free: no run is claimed.`), 'disk');
    } catch (error) {
      report(error, 'disk');
    }
    return known.hasRoom;
  };
}

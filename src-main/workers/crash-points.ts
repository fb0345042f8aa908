import { existsSync, writeFileSync } from 'node:fs';
import { CRASH_POINTS, type CrashPoint } from '../runtime/crash-points.ts';

const nothing = (): void => undefined;

/**
 * A real SIGKILL at a labelled point, once: the crash lab, and whoever wants to see
 * for themselves. `setting` is `POINT:FILE`; the file is made just before the kill,
 * and while it exists the point does nothing, so the process that comes next lives.
 * Several, with commas between, happen one after the other: each point does nothing
 * before the file of the one ahead of it exists.
 * Without a setting every point is one empty call.
 * Faults: when the setting names no known point.
 */
export function createCrashPoint(setting: string | null): (point: CrashPoint) => void {
  if (!setting) return nothing;
  const deaths = setting.split(',').map(readDeath);
  return (point) => {
    const next = deaths.find(({ marker }) => !existsSync(marker));
    if (next?.point !== point) return;
    writeFileSync(next.marker, String(process.pid), { flag: 'wx' });
    process.kill(process.pid, 'SIGKILL');
  };
}

function readDeath(text: string): { point: string; marker: string } {
  const separator = text.indexOf(':');
  const point = text.slice(0, separator);
  const marker = text.slice(separator + 1);
  if (!Object.hasOwn(CRASH_POINTS, point) || marker === '') {
    throw new Error(
      `COUNTERSIGN_CRASH_POINT must be POINT:FILE[,POINT:FILE …] with ${Object.keys(CRASH_POINTS).join(', ')}.`,
    );
  }
  return { point, marker };
}

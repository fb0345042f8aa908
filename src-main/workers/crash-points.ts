import { existsSync, writeFileSync } from 'node:fs';
import { CRASH_POINTS, type CrashPoint } from '../runtime/crash-points.ts';

const nothing = (): void => undefined;

/**
 * A real SIGKILL at a labelled point, once: the crash lab, and whoever wants to see
 * for themselves. `setting` is `POINT:FILE`; the file is made just before the kill,
 * and while it exists the point does nothing, so the process that comes next lives.
 * Without a setting every point is one empty call.
 * Faults: when the setting names no known point.
 */
export function createCrashPoint(setting: string | null): (point: CrashPoint) => void {
  if (!setting) return nothing;
  const separator = setting.indexOf(':');
  const wanted = setting.slice(0, separator);
  const marker = setting.slice(separator + 1);
  if (!Object.hasOwn(CRASH_POINTS, wanted) || marker === '') {
    throw new Error(`COUNTERSIGN_CRASH_POINT must be POINT:FILE with one of ${Object.keys(CRASH_POINTS).join(', ')}.`);
  }
  return (point) => {
    if (point !== wanted || existsSync(marker)) return;
    writeFileSync(marker, String(process.pid), { flag: 'wx' });
    process.kill(process.pid, 'SIGKILL');
  };
}

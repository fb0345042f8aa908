import { existsSync, writeFileSync } from 'node:fs';
import { CRASH_POINTS, type CrashPoint } from '../runtime/segment.ts';

/**
 * A real SIGKILL at a labelled point, once: the crash lab of the tests and of
 * whoever wants to see for themselves. `setting` is `point:markerFile`; the marker
 * is made just before the kill, so the worker that comes next lives. Without a
 * setting every point does nothing.
 * Faults: when the setting names no known point.
 */
export function createCrashPoint(setting: string | null): (point: CrashPoint) => void {
  if (!setting) return () => undefined;
  const separator = setting.indexOf(':');
  const wanted = setting.slice(0, separator);
  const marker = setting.slice(separator + 1);
  if (!CRASH_POINTS.includes(wanted as CrashPoint) || marker === '') {
    throw new Error(`COUNTERSIGN_CRASH_POINT must be POINT:FILE with one of ${CRASH_POINTS.join(', ')}.`);
  }
  return (point) => {
    if (point !== wanted || existsSync(marker)) return;
    writeFileSync(marker, String(process.pid), { flag: 'wx' });
    process.kill(process.pid, 'SIGKILL');
  };
}

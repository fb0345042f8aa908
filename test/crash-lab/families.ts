import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import { LabWorld } from './lab-world.ts';
import { playRow, type Played } from './play-row.ts';
import type { Row } from './rows.ts';

/**
 * Plays rows one after the other in one world for each crash point, so that a host
 * is started once per point; `onPlayed` hears of each as it ends.
 */
export async function playRows(hostEntry: string, rows: Row[], onPlayed?: (played: Played) => void): Promise<Played[]> {
  const played: Played[] = [];
  for (const [point, family] of byPoint(rows)) {
    const world = await LabWorld.open({ hostEntry, point });
    try {
      for (const row of family) {
        const result = await playRow(world, row);
        onPlayed?.(result);
        played.push(result);
      }
    } finally {
      await world.dispose();
    }
  }
  return played;
}

export function byPoint(rows: Row[]): Map<CrashPoint, Row[]> {
  const families = new Map<CrashPoint, Row[]>();
  for (const row of rows) families.set(row.point, [...(families.get(row.point) ?? []), row]);
  return families;
}

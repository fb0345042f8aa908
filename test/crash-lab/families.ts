import type { CrashPoint } from '../../src-main/runtime/crash-points.ts';
import { LabWorld } from './lab-world.ts';
import { playRow, type Played } from './play-row.ts';
import type { Row } from './rows.ts';

/**
 * Plays rows one after the other in one world for each setting of crash points, so that a host
 * is started once per setting; `onPlayed` hears of each as it ends.
 */
export async function playRows(hostEntry: string, rows: Row[], onPlayed?: (played: Played) => void): Promise<Played[]> {
  const played: Played[] = [];
  for (const family of byDeaths(rows)) {
    const world = await LabWorld.open({ hostEntry, deaths: deathsOf(family) });
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

/** Rows whose processes die at the same points. */
export function byDeaths(rows: Row[]): Row[][] {
  const families = new Map<string, Row[]>();
  for (const row of rows) {
    const deaths = `${row.point} ${row.second ?? ''}`;
    families.set(deaths, [...(families.get(deaths) ?? []), row]);
  }
  return [...families.values()];
}

const deathsOf = ([row]: Row[]): CrashPoint[] => (row ? [row.point, ...(row.second ? [row.second] : [])] : []);

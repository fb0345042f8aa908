import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openConsole, startPool, type Console } from '../../src-main/compose.ts';
import { CRASH_POINTS, type CrashPoint } from '../../src-main/runtime/crash-points.ts';
import { crashPointSetting } from '../../src-main/system/crash-point-setting.ts';
import { forkNode } from '../../src-main/system/node-fork.ts';
import { createCrashPoint } from '../../src-main/workers/crash-points.ts';
import { eventually, openWorld, proposeOnce, RENAME, SOURCES, type World } from '../support/world.ts';

/*
 * A variable of the environment must not be able to kill a packaged app. The same
 * real processes with the same variable: as a checkout they die, as a package they live.
 */
describe('crash points of a packaged app', () => {
  let world: World;
  let opened: Console;
  afterEach(async () => {
    delete process.env.COUNTERSIGN_CRASH_POINT;
    opened.close();
    await world.dispose();
  });

  /** Brings a run to its card with workers that are started while the variable is set. */
  async function runWithVariable(point: CrashPoint, isPackaged: boolean): Promise<{ deaths: number; marker: boolean }> {
    world = await openWorld(proposeOnce(RENAME));
    const marker = join(world.folder, 'marker');
    process.env.COUNTERSIGN_CRASH_POINT = `${point}:${marker}`;
    opened = openConsole(world.databasePath, isPackaged);
    const pool = startPool(opened, 1, () => forkNode(join(SOURCES, 'worker.ts')));
    const { id } = await world.start();
    await eventually(() => opened.runtime.pendingDecision(opened.actor, id));
    const deaths = pool.workers().reduce((sum, { restarts }) => sum + restarts, 0);
    await pool.stop(5_000);
    return { deaths, marker: existsSync(marker) };
  }

  it('0001 do nothing, whatever the environment says', async () => {
    expect(await runWithVariable('after_claim', true)).toEqual({ deaths: 0, marker: false });
  });

  it('0001 are those of a checkout otherwise: the same variable kills', async () => {
    expect(await runWithVariable('after_claim', false)).toEqual({ deaths: 1, marker: true });
  });
});

describe('the setting of crash points', () => {
  afterEach(() => void delete process.env.COUNTERSIGN_CRASH_POINT);

  it('0001 is read by plain Node and by an Electron that says it is not packaged', () => {
    process.env.COUNTERSIGN_CRASH_POINT = 'after_claim:/tmp/marker';
    expect([crashPointSetting(), crashPointSetting(false), crashPointSetting(true)]).toEqual([
      'after_claim:/tmp/marker',
      'after_claim:/tmp/marker',
      null,
    ]);
  });

  it('0001 is decided by Electron itself in the window', () => {
    expect(readFileSync(join(SOURCES, 'main.ts'), 'utf8')).toMatch(/\bopenConsole\(databasePath, app\.isPackaged\)/);
  });

  it('0001 names a known point and a file, or the process does not start', () => {
    expect(() => createCrashPoint('nowhere:/tmp/marker')).toThrow('COUNTERSIGN_CRASH_POINT');
    expect(() => createCrashPoint('after_claim:')).toThrow('COUNTERSIGN_CRASH_POINT');
    expect(() => createCrashPoint('toString:/tmp/marker')).toThrow('COUNTERSIGN_CRASH_POINT');
    expect(() => createCrashPoint('after_claim:/tmp/marker,nowhere:/tmp/marker')).toThrow('COUNTERSIGN_CRASH_POINT');
  });

  it('0001 kills at one point after the other, each once and none ahead of its turn', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-points-'));
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const point = createCrashPoint(`after_claim:${first},before_fence:${second}`);
    const deathsAt = (name: CrashPoint): number => {
      kill.mockClear();
      point(name);
      return kill.mock.calls.length;
    };
    try {
      expect([deathsAt('before_fence'), deathsAt('after_claim'), deathsAt('after_claim')]).toEqual([0, 1, 0]);
      expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
      expect([deathsAt('before_fence'), deathsAt('before_fence')]).toEqual([1, 0]);
    } finally {
      kill.mockRestore();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('0001 costs one empty call where there is none', () => {
    const point = createCrashPoint(null);
    for (const name of Object.keys(CRASH_POINTS)) expect(point(name as CrashPoint)).toBeUndefined();
    expect(createCrashPoint(null)).toBe(point);
  });
});

import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { call } from '../support/fake-model.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });

describe('a segment whose file is taken over by a newer release', () => {
  const open = useRuntime();

  it('T-122 stops before its next effect: an approved write is not fenced and not executed, and nothing is lost', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    const setVersion = (version: number): void => {
      const other = openSqlite(f.path);
      other.pragma(`user_version = ${version}`);
      other.close();
    };
    const current = f.database.pragma('user_version', { simple: true }) as number;
    f.intercept = (kind) => {
      if (kind === 'stamp_fence') setVersion(current + 10);
      return null;
    };
    await expect(f.segment()).rejects.toThrow(/newer/i);
    expect(f.world.executed).toEqual([]);
    expect(await f.row(id)).toMatchObject({ status: 'running', decisionNumber: 1, fenceEffect: '' });

    f.intercept = () => null;
    setVersion(current);
    const { ownerToken } = await f.row(id);
    const input = { ownerToken, cause: 'worker_died' } as const;
    expect(await f.store.transition(id, { kind: 'reclaim', input, nowMs: f.clock.nowMs() })).toMatchObject({
      ok: true,
    });
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
  });
});

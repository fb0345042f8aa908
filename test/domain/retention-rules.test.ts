import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import { judgePurge, purgeLimits } from '../../src-main/domain/retention-rules.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;
const none = { all: null, ended: null, uncertain: null };
const daysOf = (asked: number | null, settings: Partial<typeof none> | Record<string, string>) => {
  const limits = purgeLimits(asked, { ...none, ...settings }, NOW_MS);
  return [limits.endedBeforeMs, limits.uncertainBeforeMs].map((ms) => (NOW_MS - ms) / DAY_MS);
};

describe('the windows of retention', () => {
  it.each([
    ['H-359 30 days where nothing is set', null, {}, [30, 30]],
    ['R-215 the one for all', null, { all: '7' }, [7, 7]],
    ['R-215 that of the category before the one for all', null, { all: '7', uncertain: '365' }, [7, 365]],
    ['R-215 what was asked for before any setting', 3, { all: '7', uncertain: '365' }, [3, 3]],
    [
      'R-215 and H-359 the next one where a setting is no window',
      null,
      { all: '7', ended: '0', uncertain: 'x' },
      [7, 7],
    ],
    [
      'R-215 and H-359 30 days where no setting is a window',
      null,
      { all: '1.5', ended: '-1', uncertain: '' },
      [30, 30],
    ],
  ] as const)('are %s', (_name, asked, settings, days) => {
    expect(daysOf(asked, settings)).toEqual(days);
  });
});

describe('a purge', () => {
  const admin = { id: 1, name: 'admin', isAdmin: true, isEnabled: true, grants: [] };
  const BY = { kind: 'operator', operatorId: 1 } as const;
  it('is for an administrator', () => {
    expect(judgePurge(admin, BY)).toEqual({ ok: true, value: 1 });
    for (const operator of [null, { ...admin, isAdmin: false }, { ...admin, isEnabled: false }, { ...admin, id: 2 }]) {
      expect(judgePurge(operator, BY)).toEqual({ ok: false, refusal: { kind: 'not_administrator' } });
    }
    const service: Actor = { kind: 'service', name: 'robot', scopes: [] };
    expect(judgePurge(admin, service).ok).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { afterPageEnded } from '../../src-main/shell/crash-rules.ts';

/** The verdicts when a page ends at these times, one after the other. */
function actionsAt(timesMs: number[], reason = 'crashed'): string[] {
  let reloadsMs: readonly number[] = [];
  return timesMs.map((nowMs) => {
    const verdict = afterPageEnded(reason, reloadsMs, nowMs);
    reloadsMs = verdict.reloadsMs;
    return verdict.action;
  });
}

describe('a page that ended', () => {
  it('is loaded again three times within a minute, then a person is asked', () => {
    expect(actionsAt([0, 10, 20, 30, 40])).toEqual(['reload', 'reload', 'reload', 'ask', 'ask']);
  });

  it('is loaded again by itself once the first reload is a minute old', () => {
    expect(actionsAt([0, 10, 20, 59_999])).toEqual(['reload', 'reload', 'reload', 'ask']);
    expect(actionsAt([0, 10, 20, 60_000])).toEqual(['reload', 'reload', 'reload', 'reload']);
    expect(actionsAt([0, 10, 20, 60_000, 60_005])).toEqual(['reload', 'reload', 'reload', 'reload', 'ask']);
  });

  it('is loaded again for as long as it ends rarely', () => {
    expect(new Set(actionsAt(Array.from({ length: 50 }, (_, index) => index * 25_000)))).toEqual(new Set(['reload']));
  });

  it.each(['crashed', 'oom', 'killed', 'abnormal-exit', 'launch-failed', 'integrity-failure'])(
    'by "%s" is loaded again',
    (reason) => {
      expect(actionsAt([0], reason)).toEqual(['reload']);
    },
  );

  it('as it should is left alone, and does not count', () => {
    expect(actionsAt([0, 1, 2, 3, 4], 'clean-exit')).toEqual(['none', 'none', 'none', 'none', 'none']);
  });
});

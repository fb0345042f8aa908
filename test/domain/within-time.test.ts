import { describe, expect, it } from 'vitest';
import { withinTime } from '../../src-main/domain/within-time.ts';

describe('work within a time', () => {
  it('gives what it came to, whatever that is', () => {
    for (const value of [7, null, undefined, '']) expect(withinTime(1_000, () => value)).toEqual({ value });
  });

  it('T-108 is interrupted in the middle of a regular expression, and leaves the thread usable', () => {
    const started = performance.now();
    expect(withinTime(50, () => /^(a+)+$/u.test(`${'a'.repeat(40)}!`))).toBeNull();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(withinTime(1_000, () => /^a+$/u.test('aaa'))).toEqual({ value: true });
  });

  it('is interrupted in an endless loop, and in work within work', () => {
    const endless = (): never => {
      for (;;);
    };
    expect(withinTime(20, endless)).toBeNull();
    expect(withinTime(5_000, () => withinTime(20, endless))).toEqual({ value: null });
  });

  it('throws what it throws', () => {
    const fault = new TypeError('no');
    expect(() =>
      withinTime(1_000, () => {
        throw fault;
      }),
    ).toThrow(fault);
  });
});

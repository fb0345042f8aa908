import { describe, expect, it } from 'vitest';
import {
  LEASE_MS,
  LEASE_RENEWAL_MS,
  MAX_REQUEUES,
  offlineDelayMs,
  requeueDelayMs,
} from '../../src-main/domain/limits.ts';

describe('the limits', () => {
  it.each([
    [0, 30_000],
    [1, 60_000],
    [2, 120_000],
    [3, 240_000],
    [5, 600_000],
    [60, 600_000],
  ])('R-99 wait after %i earlier requeues', (prior, delayMs) => {
    expect(requeueDelayMs(prior)).toBe(delayMs);
  });

  it('probe an unreachable endpoint after 5 s, doubling to 10 min', () => {
    const delays: number[] = [];
    for (let index = 0; index < 9; index += 1) delays.push(offlineDelayMs(delays.at(-1) ?? 0));
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000]);
  });

  it('X-9 leave room for many missed renewals within one lease', () => {
    expect(LEASE_MS).toBe(900_000);
    expect(LEASE_MS / LEASE_RENEWAL_MS).toBeGreaterThanOrEqual(10);
    expect(MAX_REQUEUES).toBe(3);
  });
});

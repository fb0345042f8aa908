import { describe, expect, it } from 'vitest';
import { afterFailure, CLOSED, isOpen, type BreakerState } from '../../src-main/domain/breaker-rules.ts';

const failed = (times: number, atMs = 0, state: BreakerState = CLOSED): BreakerState =>
  Array.from({ length: times }).reduce<BreakerState>((before) => afterFailure(before, atMs), state);

describe('leaving a failing server alone', () => {
  it('begins with the fifth failure in a row, for half a minute', () => {
    expect(isOpen(failed(4), 0)).toBe(false);
    expect(isOpen(failed(5), 29_999)).toBe(true);
    expect(isOpen(failed(5), 30_000)).toBe(false);
  });

  it('takes twice as long each time it fails again, ten minutes at most', () => {
    let state = failed(5);
    const lengths = [state.openForMs];
    for (let time = 0; time < 6; time += 1) {
      state = afterFailure(state, state.openUntilMs);
      lengths.push(state.openForMs);
    }
    expect(lengths).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  });
});

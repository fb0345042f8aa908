import { describe, expect, it } from 'vitest';
import { budgetDenial, costOf, dayOf, NOTHING } from '../../src-main/domain/budget-rules.ts';
import { aConfiguration } from '../support/run-builders.ts';

const none = { tokens: null, costMicros: null };
const limits = (perRun: object, perDay: object = {}) =>
  aConfiguration({ budget: { perRun: { ...none, ...perRun }, perDay: { ...none, ...perDay } } }).settings;
const used = (inputTokens: number, costMicros: number | null = null, rounds = 1, unpricedAnswers = 0) => ({
  inputTokens,
  outputTokens: 0,
  costMicros,
  unpricedAnswers,
  rounds,
});

describe('a budget', () => {
  it.each([
    ['without limits', limits({}), used(1e9), NOTHING, null],
    ['below the tokens of a run', limits({ tokens: 100 }), used(99), NOTHING, null],
    ['at the tokens of a run', limits({ tokens: 100 }), used(100), NOTHING, 'perRun'],
    ['below the cost of a run', limits({ costMicros: 100 }), used(1, 99), NOTHING, null],
    ['at the cost of a run', limits({ costMicros: 100 }), used(1, 100), NOTHING, 'perRun'],
    ['with a free answer', limits({ costMicros: 100 }), used(1, 0), NOTHING, null],
    ['with a cost nobody knows', limits({ costMicros: 100 }), used(1, null), NOTHING, 'perRun'],
    ['with one answer nobody knows the cost of', limits({ costMicros: 100 }), used(1, 5, 2, 1), NOTHING, 'perRun'],
    ['of tokens, whatever the cost', limits({ tokens: 100 }), used(1, 5, 2, 1), NOTHING, null],
    ['before the first answer', limits({ costMicros: 100 }), used(0, null, 0), NOTHING, null],
    ['below the day', limits({}, { tokens: 100 }), used(1), { tokens: 99, costMicros: null }, null],
    ['at the day', limits({}, { tokens: 100 }), used(1), { tokens: 100, costMicros: null }, 'perDay'],
    ['at the cost of the day', limits({}, { costMicros: 5 }), used(1), { tokens: 1, costMicros: 5 }, 'perDay'],
    [
      'on a day nobody knows the cost of',
      limits({}, { costMicros: 5 }),
      used(1),
      { tokens: 1, costMicros: null },
      'perDay',
    ],
  ] as const)('R-172 %s', (_, settings, run, today, denied) => {
    expect(budgetDenial(settings, run, today)).toBe(denied);
  });

  it.each([
    [
      'what the provider says',
      { inputTokens: 1, outputTokens: 1, costMicros: 7 },
      { inputMicros: 9, outputMicros: 9 },
      7,
    ],
    [
      'nothing, when the provider says so',
      { inputTokens: 1, outputTokens: 1, costMicros: 0 },
      { inputMicros: 9, outputMicros: 9 },
      0,
    ],
    [
      'its price, rounded up',
      { inputTokens: 1_000, outputTokens: 500, costMicros: null },
      { inputMicros: 150_000, outputMicros: 600_001 },
      451,
    ],
    ['nobody knows what', { inputTokens: 1, outputTokens: 1, costMicros: null }, null, null],
  ] as const)('D-04 an answer costs %s', (_, usage, prices, cost) => {
    expect(costOf(usage, prices)).toBe(cost);
  });

  it('counts days in UTC', () => {
    expect(dayOf(Date.UTC(2026, 10, 30, 23, 59, 59, 999)) + 1).toBe(dayOf(Date.UTC(2026, 11, 1)));
  });
});

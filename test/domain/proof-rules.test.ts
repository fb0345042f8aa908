import { describe, expect, it } from 'vitest';
import { MOST_REMEMBERED, passphraseProblems, waitBeforeProof } from '../../src-main/domain/proof-rules.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const ago = (...minutes: number[]): number[] => minutes.map((minute) => NOW - minute * MINUTE);

describe('how long a name waits before its next proof', () => {
  it.each([
    ['nothing failed', [], 0],
    ['four failed just now', ago(3, 2, 1, 0), 0],
    ['five failed just now', ago(4, 3, 2, 1, 0), 15],
    ['five failed at one moment', ago(0, 0, 0, 0, 0), 15],
    ['five failed within 15 minutes to the millisecond', ago(15, 9, 8, 7, 0), 15],
    ['the five are spread over more than 15 minutes', ago(16, 9, 8, 7, 0), 0],
    ['the fifth is 5 minutes old', ago(9, 8, 7, 6, 5), 10],
    ['the fifth is 15 minutes old', ago(20, 19, 18, 17, 15), 0],
    ['an older one lies before five of now', ago(29, 4, 3, 2, 1, 0), 15],
    ['the clock was set back since', ago(-4, -3, -2, -1, -0.5), 0],
    ['one of five was counted by a clock that was ahead', ago(4, 3, 2, 1, -1), 0],
  ])('when %s', (_, failedAtMs, minutes) => {
    expect(waitBeforeProof(failedAtMs, failedAtMs.length, NOW)).toBe(minutes * MINUTE);
  });

  it('is as long for every name once there are as many failures as are remembered', () => {
    expect(waitBeforeProof([], MOST_REMEMBERED - 1, NOW)).toBe(0);
    expect(waitBeforeProof([], MOST_REMEMBERED, NOW)).toBe(15 * MINUTE);
  });
});

describe('a passphrase', () => {
  it.each([
    ['seven characters', 'seven77', 'too_short'],
    ['seven characters of two code units', '😀'.repeat(7), 'too_short'],
    ['eight marks on letters that are one character each', 'ä'.normalize('NFD').repeat(7), 'too_short'],
    ['a whole book', 'x'.repeat(1_025), 'too_long'],
  ])('is not %s', (_, text, problem) => {
    expect(passphraseProblems(text)).toMatchObject([{ field: 'passphrase', problem }]);
  });

  it.each(['eight888', '😀'.repeat(8), ' with blanks ', 'x'.repeat(1_024)])('may be %s', (text) => {
    expect(passphraseProblems(text)).toEqual([]);
  });
});

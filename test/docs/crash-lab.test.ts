import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CRASH_POINTS } from '../../src-main/runtime/crash-points.ts';
import { crashLabPage, DEMANDED } from '../crash-lab/document.ts';
import { ALL_ROWS, demandOf, EFFECTS, nameOfRow, ROWS, SEGMENTS, whyImpossible } from '../crash-lab/rows.ts';
import { SECOND_DEATHS } from '../crash-lab/second-deaths.ts';

describe('the page of the crash lab', () => {
  it('lists the points and rows of the code, each with the end that is demanded', async () => {
    await expect(crashLabPage(DEMANDED)).toMatchFileSnapshot(join('..', '..', 'docs', 'crash-lab.md'));
  });

  it('leaves out no combination without a reason, and hits each point at least once', () => {
    const points = Object.keys(CRASH_POINTS);
    expect(ALL_ROWS).toHaveLength(points.length * EFFECTS.length * SEGMENTS.length);
    expect(ALL_ROWS.filter((row) => !ROWS.includes(row) && !whyImpossible(row))).toEqual([]);
    expect(points.filter((point) => !ROWS.some((row) => row.point === point))).toEqual([]);
  });

  it('plays each pair of deaths once, of points that can occur, and has it end like the first alone or says why not', () => {
    const names = SECOND_DEATHS.map(nameOfRow);
    expect(new Set(names).size).toBe(names.length);
    for (const { second, ...first } of SECOND_DEATHS) {
      expect(whyImpossible(first)).toBeNull();
      expect(second && whyImpossible({ ...first, point: second })).toBeNull();
      const pair = demandOf({ ...first, second });
      if (pair.because === demandOf(first).because) expect(pair.end).toEqual(demandOf(first).end);
      if (pair.end.uncertain > 0) expect(pair.end).toMatchObject({ status: 'failed', recorded: 0 });
    }
  });

  it('H-167 demands a person, and no second try, for each write that may have happened and must not be repeated', () => {
    const doubtful = ROWS.filter((row) => demandOf(row).end.uncertain > 0);
    expect(doubtful.map(({ point, effect }) => `${point} ${effect}`)).toEqual([
      'after_fence_before_effect non-idempotent',
      'after_effect_before_answer non-idempotent',
      'after_effect_before_result non-idempotent',
    ]);
    for (const row of doubtful) expect(demandOf(row).end).toMatchObject({ status: 'failed', recorded: 0 });
  });
});

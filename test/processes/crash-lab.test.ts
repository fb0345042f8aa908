import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleLab, type LabProgram } from '../crash-lab/bundle.ts';
import { playRows } from '../crash-lab/families.ts';
import { MUTANTS, playMutant } from '../crash-lab/mutants.ts';
import { SCENARIOS } from '../crash-lab/scenarios.ts';
import { demandOf, nameOfRow, whyImpossible, type Row } from '../crash-lab/rows.ts';

/*
 * A part of the crash lab: one row for each thing that recovery has to do. The whole
 * one is `npm run crash-lab`, its findings are docs/crash-lab.md.
 */
const ROOT = join(import.meta.dirname, '..', '..');
const LIMIT_MS = 120_000;

/** Families run two at a time: most of a row is waiting for processes to start. */
const ROWS_OF_THE_TESTS: [cases: string, rows: Row[]][] = [
  ['X-21', [{ point: 'after_claim', effect: 'read', segment: 'first run' }]],
  ['X-14', [{ point: 'after_answer', effect: 'read', segment: 'retry' }]],
  ['X-1', [{ point: 'before_suspend', effect: 'non-idempotent', segment: 'first run' }]],
  [
    'R-112 H-167',
    [
      { point: 'after_fence_before_effect', effect: 'idempotent', segment: 'resume' },
      { point: 'after_fence_before_effect', effect: 'non-idempotent', segment: 'resume' },
    ],
  ],
  ['T-40', [{ point: 'after_effect_before_answer', effect: 'idempotent', segment: 'resume' }]],
  ['X-2', [{ point: 'after_effect_before_result', effect: 'non-idempotent', segment: 'resume' }]],
  ['H-168', [{ point: 'after_decide', effect: 'idempotent', segment: 'resume' }]],
  [
    'T-24',
    [
      { point: 'after_decide', effect: 'question', segment: 'resume' },
      { point: 'after_effect_before_answer', effect: 'question', segment: 'resume' },
    ],
  ],
  [
    'R-112 X-2',
    [
      {
        point: 'after_fence_before_effect',
        effect: 'idempotent',
        segment: 'resume',
        second: 'after_effect_before_result',
      },
    ],
  ],
  [
    'H-167 X-10',
    [{ point: 'after_effect_before_result', effect: 'non-idempotent', segment: 'resume', second: 'before_reclaim' }],
  ],
  ['X-10', [{ point: 'after_reclaim', effect: 'read', segment: 'first run' }]],
];

describe.concurrent('a process that dies', { timeout: LIMIT_MS }, () => {
  let program: LabProgram;
  beforeAll(async () => void (program = await bundleLab(ROOT)));
  afterAll(() => program.remove());

  for (const [cases, rows] of ROWS_OF_THE_TESTS) {
    for (const row of rows) {
      const wanted = demandOf(row).end;
      it(`${cases} at ${nameOfRow(row)} leaves a run that ends ${wanted.status}, exactly as demanded`, async () => {
        expect(whyImpossible(row)).toBeNull();
        const [played] = await playRows(program.hostEntry, [row]);
        expect(played).toEqual({ row, isHit: true, end: wanted, problems: [] });
      });
    }
  }

  for (const { cases, name, demand, play } of SCENARIOS.filter((scenario) => scenario.cases.startsWith('T-47'))) {
    it(`${cases} in the scenario "${name}" ends exactly as demanded`, async () => {
      const { end, chain } = await play(program.hostEntry);
      expect({ end, chain }).toEqual({ end: demand, chain: [] });
    });
  }

  it('X-2 is noticed as a second effect when the fence is taken out of the sources', async () => {
    const [mutant] = MUTANTS.filter(({ name }) => name === 'fence off');
    if (!mutant) throw new Error('There is no such control.');
    const rows = mutant.rows.filter(({ effect }) => effect === 'non-idempotent');
    const [noticed] = await playMutant(ROOT, { ...mutant, rows });
    expect(noticed?.problems).toContain('effects is 2, demanded is 1');
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { casesIn, readCatalogue } from '../../scripts/lib/case-catalogue.mjs';
import { readDeclarations } from '../../scripts/lib/case-report.mjs';
import { CASE_MUTANTS } from '../gates/case-mutants.ts';
import { drawCases } from '../gates/draw-cases.ts';
import { mutated } from '../gates/mutant.ts';
import { MUTANTS } from '../gates/mutants.ts';
import { SEALED_COLUMNS } from '../../src-main/store/sealed-columns.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const SHARED = join(ROOT, '..', 'shared');

describe('the rules that `npm run gates` takes out', () => {
  it.each(MUTANTS)('$name: is where the table says, and its tests are there', (mutant) => {
    expect(mutated(ROOT, mutant)).not.toBe(readFileSync(join(ROOT, mutant.file), 'utf8'));
    expect(mutant.tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
    expect(mutant.tests).not.toEqual([]);
  });

  it('have names of their own', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('T-83 cover every gate of a decision and of an answer', () => {
    const gates = MUTANTS.filter(({ group }) => group === 'gate').map(({ name }) => name);
    expect(gates).toEqual(
      expect.arrayContaining([
        'access',
        'configuration is there',
        'configuration is active',
        'second person',
        'digest',
        'revision',
        'approver permission',
        'tools as shown, when decided',
        'blindness is confirmed',
        'blindness covers what is withheld',
        'decision event',
        'comparator',
        'footprint before: records',
        'footprint before: files',
        'no write without a footprint',
        'fence',
        'offered once more before it runs',
        'submitter',
        'answers are judged',
        'overlay: nothing of the model',
        'overlay: nothing undeclared',
        'the word yes',
      ]),
    );
  });

  it('cover every sealed column but the one that has a single row', () => {
    const covered = MUTANTS.filter(({ group }) => group === 'seal').map(({ name }) =>
      name.replace(/^place of |:.*/g, ''),
    );
    const columns = SEALED_COLUMNS.map(({ table }) => table).filter((table) => table !== 'signing_key');
    expect([...new Set(covered)].toSorted()).toEqual(columns.toSorted());
  });

  // The catalogues stand beside the checkout; without them there is nothing to compare with.
  it.skipIf(!existsSync(SHARED))(
    'include a tenth of the cases of the loop, the record and the operator, drawn by hash',
    () => {
      const ids = [
        ...cases('runtime', 'spec/cases-runtime.md').filter(({ section }) => section >= 'J'),
        ...cases('peers', 'research/peers.md').filter(({ section }) => section === '2.9'),
      ].map(({ id }) => id);
      const { withoutTest } = readDeclarations(readFileSync(join(ROOT, 'docs', 'cases.md'), 'utf8'));
      const drawn = drawCases(ids, 0.1).filter((id) => !withoutTest.has(id));
      const turned = CASE_MUTANTS.flatMap(({ name }) => casesIn(name));
      expect(drawn.length).toBeGreaterThan(0.05 * ids.length);
      expect(drawn.filter((id) => !turned.includes(id))).toEqual([]);
    },
  );
});

const cases = (name: 'runtime' | 'peers', file: string) =>
  readCatalogue(name, readFileSync(join(SHARED, file), 'utf8'));

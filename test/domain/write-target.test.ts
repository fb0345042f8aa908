import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTarget, type WriteTarget } from '../../src-shared/write-target.ts';

const record = (table: string, key: Record<string, string | number | null>): WriteTarget => ({
  kind: 'record',
  database: 'site',
  table,
  key,
});

describe('the line that names a target', () => {
  it.each([
    ['a number', record('pages', { id: 42 }), 'site/pages#42'],
    ['a text', record('terms', { name: 'imprint' }), 'site/terms#"imprint"'],
    ['several columns', record('links', { from: 1, to: 'x' }), 'site/links#from=1,to="x"'],
    ['no value', record('odd', { id: null }), 'site/odd#NULL'],
    ['nothing yet', record('pages', {}), 'site/pages (new)'],
    ['a name with signs of ours', record('a#b', { id: 1 }), 'site/"a#b"#1'],
    ['a file', { kind: 'file', workspace: 'site', path: 'robots.txt' } as const, 'site/robots.txt'],
  ])('shows %s', (_name, target, line) => {
    expect(describeTarget(target)).toBe(line);
  });

  it('differs for the text 1 and the number 1, and for blanks at the end', () => {
    const lines = [1, '1', '1 '].map((id) => describeTarget(record('k', { id })));
    expect(new Set(lines).size).toBe(3);
  });

  it('is never shared by two records', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '=', '"', '\\', '#', '/', ' ') });
    const name = text.filter((value) => value !== '');
    const target = fc.tuple(name, fc.dictionary(name, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 3 }));
    fc.assert(
      fc.property(target, target, ([table, key], [otherTable, otherKey]) => {
        const isSame =
          JSON.stringify([table, Object.entries(key)]) === JSON.stringify([otherTable, Object.entries(otherKey)]);
        expect(describeTarget(record(table, key)) === describeTarget(record(otherTable, otherKey))).toBe(isSame);
      }),
      { numRuns: 2_000 },
    );
  });
});

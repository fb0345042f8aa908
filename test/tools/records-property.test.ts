import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src-main/domain/json-value.ts';
import { InProcessTools, makePlace, withFile } from '../support/tool-fixtures.ts';

const TYPES = ['integer', 'text', 'blob', 'real', 'numeric', 'varchar(10)', 'boolean', 'date', ''] as const;

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '5',
    ' 5 ',
    '5.0',
    '1e3',
    '0x10',
    '-0',
    "x'00ff'",
    "X'AB'",
    '9007199254740993',
    '9223372036854775808',
    'Infinity',
    '\uFFFD',
    '',
    'NaN',
  ),
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
  fc.boolean(),
  fc.constant(null),
);

/** What stands in the row before: any storage class in any column, written by SQL. */
const stored = fc.constantFrom(
  'null',
  '1',
  '-9223372036854775808',
  '1.5',
  '9e999',
  '-0.0',
  "'text'",
  "'5'",
  "x''",
  "x'ff00'",
  "cast(x'ff' as text)",
  "'a' || char(0) || 'b'",
);

describe('update_record, for any row and any values', () => {
  it.each(['', 'strict'])(
    'ends where the plan said: the next plan starts at the approved "after" (%s tables)',
    async (strict) => {
      let applied = 0;
      const types = strict ? (['integer', 'text', 'blob', 'real', 'any', 'int'] as const) : TYPES;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ type: fc.constantFrom(...types), old: stored, value }), { minLength: 1, maxLength: 4 }),
          async (columns) => {
            const names = columns.map((_, index) => `c${index}`);
            const place = makePlace(
              `create table t (id integer primary key, ${columns.map((each, index) => `c${index} ${each.type}`).join(', ')}) ${strict}`,
            );
            withFile(place.databasePath, (connection) => {
              connection.exec('insert into t (id) values (1)');
              for (const [index, { old }] of columns.entries())
                connection.exec(`update or ignore t set c${index} = ${strict ? 'null' : old}`);
            });
            const tools = new InProcessTools(place.context);
            const args = {
              database: 'site',
              table: 't',
              key: { id: 1 },
              values: Object.fromEntries(columns.map((each, index) => [names[index] ?? '', each.value])),
            };
            const first = await tools.plan('update_record', args);
            expect(await tools.plan('update_record', args)).toEqual(first);
            const result = await tools.execute('update_record', args, first.footprint);
            const second = await tools.plan('update_record', args);
            if (first.preview.kind === 'failed') {
              expect(result.write).toBeNull();
              expect(second).toEqual(first);
            } else {
              applied += 1;
              expect(result.outcome).toBe('ok');
              expect(second.footprint?.before).toBe(first.footprint?.after);
              expect(second.preview).toMatchObject({
                kind: 'failed',
                reason: expect.stringContaining('Nothing would change'),
              });
            }
            expect(tools.faults).toEqual([]);
          },
        ),
        { numRuns: 60 },
      );
      expect(applied).toBeGreaterThan(strict ? 5 : 30);
    },
  );
});

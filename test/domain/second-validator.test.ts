import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';
import type { QUESTION_KEYWORDS } from '../../src-main/domain/question-keywords.ts';
import { answerProblems } from '../../src-main/domain/question-rules.ts';
import { PATIENT_JUDGING_MS } from '../../src-main/domain/question-shape.ts';
import { schemaJudge } from '../../src-main/domain/schema-judge.ts';
import { invalidValues } from '../support/invalid-values.ts';
import { aCall, aQuestion } from '../support/run-builders.ts';

/*
 * ajv judges; typebox, which is another implementation of JSON Schema and shares no code with it, must come to the same.
 */

const fits = (schema: JsonObject, value: JsonValue): boolean => schemaJudge(schema).errorsOf(value).length === 0;

/** None that an object or a list has by itself: the second validator mixes those up with entries. */
const NAMES = ['a', 'b', 'A', '\u00e9', ''];
const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    '',
    'a',
    'ab',
    'aab',
    '1',
    '\u{1f4a9}',
    'toString',
    '\u00e9',
    'e\u0301',
  ),
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(0.1, 0.3, 0.5, 1.5, -0.5, 1e21),
);
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const count = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 0.5, 1, 2, 5);
const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 });

/** Schemas of exactly the keywords that a question may rely on. */
const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const some = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const keywords: Record<keyof typeof QUESTION_KEYWORDS, fc.Arbitrary<JsonValue>> = {
    additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    anyOf: some,
    const: anyValue,
    dependentRequired: fc.dictionary(fc.constantFrom(...NAMES), names, { maxKeys: 2, noNullPrototype: true }),
    enum: fc.array(anyValue, { minLength: 1, maxLength: 4 }),
    exclusiveMaximum: bound,
    exclusiveMinimum: bound,
    if: tie('schema'),
    items: tie('schema'),
    maxItems: count,
    maxLength: count,
    maximum: bound,
    minItems: count,
    minLength: count,
    minimum: bound,
    multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 3),
    oneOf: some,
    pattern: fc.constantFrom('^a*$', 'b', '^.$', '\\d', '^\\p{L}+$'),
    properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3, noNullPrototype: true }),
    required: names,
    type: fc.oneof(
      fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object'),
      fc.uniqueArray(fc.constantFrom('null', 'integer', 'string', 'array', 'object'), { minLength: 1, maxLength: 3 }),
    ),
    uniqueItems: fc.boolean(),
  };
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of the schema
  const branches = { then: tie('schema'), else: tie('schema') };
  return {
    schema: fc
      .uniqueArray(fc.constantFrom(...Object.keys({ ...keywords, ...branches })), { maxLength: 3 })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(Object.entries({ ...keywords, ...branches }).filter(([name]) => chosen.includes(name))),
        ),
      ) as fc.Arbitrary<JsonObject>,
  };
});

describe('a second validator', () => {
  it('H-230 agrees on every schema of the keywords a question may rely on, and every value', () => {
    const seen = { fits: 0, misfits: 0 };
    fc.assert(
      fc.property(anySchema, fc.array(anyValue, { minLength: 4, maxLength: 12 }), (schema, values) => {
        for (const value of values) {
          const isFitting = fits(schema, value);
          seen[isFitting ? 'fits' : 'misfits'] += 1;
          expect(Check(schema, value), JSON.stringify({ schema, value })).toBe(isFitting);
        }
      }),
      { numRuns: 250 },
    );
    expect(Math.min(seen.fits, seen.misfits)).toBeGreaterThan(250);
  });

  const INVALID = invalidValues();
  const demanded = ({ required, dependentRequired }: JsonObject): unknown[] =>
    [required, (dependentRequired as JsonObject | undefined)?.['a']].flat();
  /** What the second validator takes all the same: it finds what every object inherits, and tells -0 from 0. */
  const MISTAKES = INVALID.filter(
    ([schema, value]) =>
      ['toString', 'hasOwnProperty', 'valueOf'].some((name) => demanded(schema).includes(name)) ||
      (schema['uniqueItems'] === true && Array.isArray(value) && value.some((one) => Object.is(one, -0))),
  );
  const CALL = aCall('ask_x', { arguments: {} });

  it('H-230 refuses 1,000 values that are invalid by the way they are made, and so does the first', () => {
    expect(INVALID.length - MISTAKES.length).toBeGreaterThanOrEqual(1_000);
    expect(INVALID.filter(([schema, value]) => fits(schema, value)).map((pair) => JSON.stringify(pair))).toEqual([]);
    const taken = INVALID.filter(([schema, value]) => Check(schema, value)).map((pair) => JSON.stringify(pair));
    expect(taken.toSorted()).toEqual(MISTAKES.map((pair) => JSON.stringify(pair)).toSorted());
  });

  it('H-228 and H-230 lets a person send none of them, by a seventh of each kind', () => {
    const sent = INVALID.filter((_pair, index) => index % 7 === 0);
    const taken = sent.filter(([property, value]) => {
      const question = aQuestion(CALL, { type: 'object', properties: { a: property }, required: ['a'] });
      return answerProblems([question], { [CALL.id]: { a: value } }, PATIENT_JUDGING_MS).length === 0;
    });
    expect(taken.map((pair) => JSON.stringify(pair))).toEqual([]);
  });

  it.each([Number('1e999'), Number('-1e999'), Number('NaN')])(
    'T-101 and T-108 takes %s for no number, and neither does the first',
    (value) => {
      for (const type of ['number', 'integer']) {
        expect(fits({ type }, value)).toBe(false);
        expect(Check({ type }, value)).toBe(false);
      }
    },
  );
});

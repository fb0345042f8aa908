import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainJson } from '../../src-main/domain/plain-json.ts';
import {
  askedValues,
  questionTitle,
  typedText,
  typedValue,
  type AskedKind,
  type AskedValue,
} from '../../src-shared/asked-values.ts';

const asked = (kind: AskedKind, options: unknown[] = []): AskedValue => ({
  name: 'a',
  label: 'A',
  kind,
  options: options.map((value) => ({ value, label: String(value) })),
  isRequired: true,
  description: '',
  limits: [],
  suggestion: '',
});

describe('what a question asks for', () => {
  it('is one value for each property, in order', () => {
    const schema = {
      type: 'object',
      properties: {
        town: { type: 'string', title: 'Town' },
        count: { type: 'integer' },
        price: { type: 'number' },
        urgent: { type: 'boolean' },
        size: { type: 'string', enum: ['s', 'l'] },
        tags: { type: 'array' },
        odd: 'no schema',
      },
      required: ['town', 7],
    };
    expect(
      askedValues(schema).map(({ name, label, kind, options, isRequired }) => [
        name,
        label,
        kind,
        options.map((option) => option.label),
        isRequired,
      ]),
    ).toEqual([
      ['town', 'Town', 'text', [], true],
      ['count', 'Count', 'whole_number', [], false],
      ['price', 'Price', 'number', [], false],
      ['urgent', 'Urgent', 'yes_no', [], false],
      ['size', 'Size', 'choice', ['s', 'l'], false],
      ['tags', 'Tags', 'json', [], false],
      ['odd', 'Odd', 'json', [], false],
    ]);
  });

  it.each<[AskedKind, unknown]>([
    ['text', 'string'],
    ['whole_number', 'integer'],
    ['number', 'number'],
    ['yes_no', 'boolean'],
    ['json', 'object'],
    ['json', 'array'],
    ['text', undefined],
    ['text', 'dat'],
    ['text', 7],
    ['whole_number', ['null', 'integer']],
    ['json', 'null'],
  ])('H-231 is entered as %s where the type is %j', (kind, type) => {
    const property = type === undefined ? {} : { type };
    expect(askedValues({ properties: { a: property } })).toMatchObject([{ kind, options: [] }]);
  });

  it('H-240 is entered as JSON where a text need not fit, so that every form can be sent', () => {
    const properties = { a: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, b: { $ref: '#/$defs/b' }, c: true };
    expect(askedValues({ properties }).map(({ kind }) => kind)).toEqual(['json', 'json', 'json']);
  });

  it('H-202 is called by its title, or by its name as words', () => {
    const properties = { page_title: {}, a: { title: ' ' }, b: { title: 'As it says' }, c: { title: 7 } };
    expect(askedValues({ properties }).map(({ label }) => label)).toEqual(['Page title', 'A', 'As it says', 'C']);
  });

  it.each<[string, object, [string, unknown][]]>([
    [
      'texts',
      { enum: ['s', 'l'] },
      [
        ['s', 's'],
        ['l', 'l'],
      ],
    ],
    [
      'values of several types',
      { enum: [1, 'b', null, false] },
      [
        ['1', 1],
        ['b', 'b'],
        ['null', null],
        ['false', false],
      ],
    ],
    [
      'values that look alike',
      { enum: [1, '1'] },
      [
        ['1', 1],
        ['"1"', '1'],
      ],
    ],
    [
      'values that differ by what nobody sees',
      { enum: ['a', ' a'] },
      [
        ['"a"', 'a'],
        ['" a"', ' a'],
      ],
    ],
    [
      'an empty text',
      { enum: ['', 'x'] },
      [
        ['""', ''],
        ['x', 'x'],
      ],
    ],
    ['one constant', { const: 7 }, [['7', 7]]],
    [
      'constants with a title',
      { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] },
      [
        ['One', 1],
        ['2', 2],
      ],
    ],
    [
      'any of several constants',
      { anyOf: [{ const: 'a' }, { const: 'b' }] },
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [
      'constants without a title that could be read',
      {
        oneOf: [{ const: null, title: '' }, { const: 0, title: ' ' }, { const: false }, { const: 'x', title: '' }],
      },
      [
        ['null', null],
        ['0', 0],
        ['false', false],
        ['x', 'x'],
      ],
    ],
    [
      'constants called the same',
      {
        oneOf: [
          { const: 1, title: 'x' },
          { const: 2, title: 'x' },
        ],
      },
      [
        ['1', 1],
        ['2', 2],
      ],
    ],
  ])('T-100, H-202 and H-239 is picked from %s', (_what, property, expected) => {
    const [value] = askedValues({ properties: { a: property } });
    expect(value?.kind).toBe('choice');
    expect(value?.options.map(({ label, value: each }) => [label, each])).toEqual(expected);
  });

  it.each([{ oneOf: [{ const: 1 }, { type: 'string' }] }, { enum: [] }, { oneOf: [] }])(
    'is not picked from %j',
    (property) => {
      expect(askedValues({ properties: { a: property } })).toMatchObject([{ options: [] }]);
    },
  );

  it('T-102 says what its schema says of it, of the keywords that bind its kind, and suggests a default without filling it in', () => {
    const properties = {
      title: {
        type: 'string',
        description: 'As on the page',
        minLength: 3,
        maxLength: 60,
        pattern: '^[A-Z]',
        minimum: 4,
      },
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 10, multipleOf: 2, default: 4, maxLength: 3 },
      agreed: { type: 'boolean', default: false },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, default: ['a'] },
      broken: { type: 'integer', default: 'four', minimum: 'one' },
    };
    expect(
      askedValues({ properties }).map(({ description, limits, suggestion }) => [
        description,
        limits.map(({ keyword, limit }) => `${keyword} ${limit}`),
        suggestion,
      ]),
    ).toEqual([
      ['As on the page', ['minLength 3', 'maxLength 60', 'pattern ^[A-Z]'], ''],
      ['', ['minimum 1', 'exclusiveMaximum 10', 'multipleOf 2'], '4'],
      ['', [], 'no'],
      ['', ['minItems 1'], '[\n  "a"\n]'],
      ['', ['minimum one'], ''],
    ]);
  });

  it('T-102 asks for some of a few options where a list holds nothing else', () => {
    const properties = {
      days: { type: 'array', items: { enum: ['mon', 'tue'] } },
      sizes: {
        type: ['array', 'null'],
        items: {
          oneOf: [
            { const: 1, title: 'One' },
            { const: 2, title: 'One\ntwo' },
          ],
        },
      },
      any: { type: 'array', items: { type: 'string' } },
    };
    expect(askedValues({ properties }).map(({ kind, options }) => [kind, options.map(({ label }) => label)])).toEqual([
      ['several', ['mon', 'tue']],
      ['several', ['1', '2']],
      ['json', []],
    ]);
  });

  it.each([null, [], 'x', 7])('H-237 is nothing when the properties are %j', (properties) => {
    expect(askedValues({ properties })).toEqual([]);
  });

  it('has the title of its schema, or the name of its tool', () => {
    expect(questionTitle({ schema: { title: 'Where?' }, toolName: 'ask' })).toBe('Where?');
    for (const title of [undefined, '', '  ', 7])
      expect(questionTitle({ schema: { title }, toolName: 'ask' })).toBe('ask');
  });
});

describe('what was typed', () => {
  it.each<[AskedValue, string, unknown]>([
    [asked('text'), ' as typed ', ' as typed '],
    [asked('text'), '  ', undefined],
    [asked('whole_number'), '', undefined],
    [asked('number'), ' ', undefined],
    [asked('yes_no'), '', undefined],
    [asked('whole_number'), '5', 5],
    [asked('whole_number'), 'abc', 'abc'],
    [asked('yes_no'), '1', true],
    [asked('yes_no'), 'ON', true],
    [asked('yes_no'), '0', false],
    [asked('whole_number'), '12', 12],
    [asked('whole_number'), '-3', -3],
    [asked('whole_number'), '1.9', '1.9'],
    [asked('whole_number'), '1e3', '1e3'],
    [asked('whole_number'), '9007199254740991', 9007199254740991],
    [asked('whole_number'), '9007199254740993', '9007199254740993'],
    [asked('whole_number'), '1000000000000000000000001', '1000000000000000000000001'],
    [asked('whole_number'), '0012', 12],
    [asked('number'), '0.000000123456789012345', 1.23456789012345e-7],
    [asked('number'), '0.1234567890123456789', '0.1234567890123456789'],
    [asked('number'), '1'.repeat(400), '1'.repeat(400)],
    [asked('number'), '1.5', 1.5],
    [asked('number'), '1e3', '1e3'],
    [asked('number'), '1e999', '1e999'],
    [asked('number'), 'NaN', 'NaN'],
    [asked('yes_no'), 'Yes', true],
    [asked('yes_no'), 'false', false],
    [asked('yes_no'), 'maybe', 'maybe'],
    [asked('choice', ['red', 'blue']), 'blue', 'blue'],
    [asked('choice', ['red', 'blue']), '2', 'blue'],
    [asked('choice', ['red', 'blue']), '3', '3'],
    [asked('choice', ['red', 'blue']), '0', '0'],
    [asked('choice', ['2', '1']), '1', '1'],
    [asked('choice', [' red ', 'blue']), 'red', ' red '],
    [asked('choice', [1, true, null]), '1', 1],
    [asked('choice', [1, true, null]), 'true', true],
    [asked('choice', [1, true, null]), '3', null],
    [asked('json'), '{"a":[1]}', { a: [1] }],
    [asked('json'), '{"a"', '{"a"'],
    [asked('json'), 'null', null],
    [asked('json'), '[1e999]', '[1e999]'],
    [asked('json'), '{"a":-1e999}', '{"a":-1e999}'],
    [asked('json'), '[12345678901234567890]', '[12345678901234567890]'],
    [asked('json'), '[1e3, 0.5, -0]', [1000, 0.5, -0]],
    [asked('several', ['red', 'blue', 'green']), 'red\nblue', ['red', 'blue']],
    [asked('several', ['red', 'blue', 'green']), '1, 3', ['red', 'green']],
    [asked('several', ['red', 'blue', 'green']), '2', ['blue']],
    [asked('several', ['1,2', '3']), '1,2', ['1,2']],
    [asked('several', [1, 2]), '2', [2]],
    [asked('several', ['red']), '[]', []],
    [asked('several', ['red']), ' ', undefined],
    [asked('several', ['red']), 'pink', ['pink']],
  ])(
    'LIM-28, T-101, H-232, H-233, H-235 and H-238 for %j as %j is %j: nothing is rounded or guessed',
    (value, typed, expected) => {
      expect(typedValue(value, typed)).toEqual(expected);
    },
  );
});

/** A property of the part that forms ask for natively, with a value that fits it. */
const aProperty: fc.Arbitrary<[schema: Record<string, unknown>, value: unknown]> = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => text.trim() !== '')
    .map((text): [Record<string, unknown>, unknown] => [{ type: 'string' }, text]),
  fc.maxSafeInteger().map((value): [Record<string, unknown>, unknown] => [{ type: 'integer' }, value]),
  fc
    .integer({ min: -999_999, max: 999_999 })
    .map((value): [Record<string, unknown>, unknown] => [{ type: 'number' }, value / 64]),
  fc.boolean().map((value): [Record<string, unknown>, unknown] => [{ type: 'boolean' }, value]),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
      minLength: 1,
      maxLength: 6,
      selector: (each) => JSON.stringify(each),
    })
    .chain((options) =>
      fc.tuple(
        fc.constant(options),
        fc.constantFrom(...options),
        fc.subarray(options),
        fc.constantFrom('enum', 'oneOf', 'items'),
      ),
    )
    .map(([options, one, some, form]): [Record<string, unknown>, unknown] => {
      if (form === 'enum') return [{ enum: options }, one];
      if (form === 'oneOf') return [{ oneOf: options.map((each) => ({ const: each })) }, one];
      return [{ type: 'array', items: { enum: options } }, some];
    }),
  fc
    .jsonValue()
    .filter((value) => isPlainJson(value) && !/\d{17}|e\+/.test(JSON.stringify(value)))
    .map((value): [Record<string, unknown>, unknown] => [{ type: 'object' }, { inner: value }]),
);

describe('a form', () => {
  it('T-98 and T-101: whatever is asked for, what is typed for a value is sent as that value, and nothing for what is untouched', () => {
    fc.assert(
      fc.property(fc.array(aProperty, { minLength: 1, maxLength: 5 }), (parts) => {
        const properties = Object.fromEntries(parts.map(([schema], index) => [`p${index}`, schema]));
        for (const [index, value] of askedValues({ properties }).entries()) {
          const wanted = parts[index]?.[1];
          expect(typedValue(value, '')).toBeUndefined();
          const text = typedText(value, wanted);
          if (text === null) throw new Error(`${JSON.stringify(wanted)} cannot be typed as ${value.kind}`);
          expect(typedValue(value, text)).toEqual(JSON.parse(JSON.stringify(wanted)));
        }
      }),
      { numRuns: 500 },
    );
  });
});

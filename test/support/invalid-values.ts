import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';

/** A schema and a value that does not fit it by the way both were made, not because anything judged them. */
export type InvalidValue = readonly [schema: JsonObject, value: JsonValue];

const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue;
const pairs = <A, B>(left: readonly A[], right: readonly B[]): [A, B][] =>
  left.flatMap((one) => right.map((other): [A, B] => [one, other]));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Names that an object has without anybody having entered them, and names that look like others. */
const ODD_NAMES = [
  'toString',
  'constructor',
  'hasOwnProperty',
  'valueOf',
  '__proto__',
  '',
  ' ',
  'A',
  'a ',
  '\u0430',
  '\u00e9',
  'e\u0301',
];
/** An object with one own entry, whatever its name. */
const entry = (name: string, value: JsonValue): JsonObject => Object.fromEntries([[name, value]]);

const VALUES_BY_TYPE: Record<string, JsonValue[]> = {
  null: [null],
  boolean: [true, false],
  integer: [0, -0, 1, -1, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e21],
  number: [0.5, -1.5, 1e-7, 0.1 + 0.2, Number.MIN_VALUE],
  string: [
    '',
    ' ',
    '0',
    '1',
    '-1',
    '1.0',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '-0',
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '\u0661',
  ],
  array: [[], [0], [null], ['a'], [[]]],
  object: [{}, { length: 0 }, { value: 1 }, parsed('{"__proto__":1}'), entry('toString', 1)],
};

/** Every value under every type that it is not of. A whole number is a number, too. */
const wrongTypes = (): InvalidValue[] =>
  Object.keys(VALUES_BY_TYPE).flatMap((type) =>
    Object.entries(VALUES_BY_TYPE)
      .filter(([other]) => other !== type && !(type === 'number' && other === 'integer'))
      .flatMap(([, values]) => values.map((value): InvalidValue => [{ type }, value])),
  );

/** One too many and one too few, in characters as people count code points: a pair of surrogates is one. */
function wrongLengths(): InvalidValue[] {
  const characters = ['a', '\u00e9', '\u4e2d', '\u{1f4a9}', '\u{10ffff}'];
  return pairs(characters, upTo(20)).flatMap(([character, length]): InvalidValue[] => [
    [{ maxLength: length }, character.repeat(length + 1)],
    [{ minLength: length + 1 }, character.repeat(length)],
  ]);
}

/** Next to the bound, far away, and where a number no longer tells its neighbours apart. */
function outOfBounds(): InvalidValue[] {
  const bounds = [-(2 ** 53), -1e9, -2.5, -1, 0, 0.1, 1, 7, 1_000, 2 ** 31, 2 ** 53 - 1];
  return bounds.flatMap((bound): InvalidValue[] => {
    const step = Math.max(1, Math.abs(bound)) * 2 ** -51;
    return [step, 1, 1e300].flatMap((by): InvalidValue[] => {
      const [above, below] = [Math.max(bound + by, bound + 2 * step), Math.min(bound - by, bound - 2 * step)];
      return [
        [{ maximum: bound }, above],
        [{ minimum: bound }, below],
        [{ exclusiveMaximum: bound }, above],
        [{ exclusiveMinimum: bound }, below],
        [{ exclusiveMaximum: bound }, bound],
        [{ exclusiveMinimum: bound }, bound],
      ];
    });
  });
}

const ZEROES: InvalidValue[] = [
  [{ exclusiveMinimum: 0 }, -0],
  [{ exclusiveMaximum: 0 }, -0],
  [{ exclusiveMaximum: -0 }, 0],
  [{ minimum: 1e-300 }, -0],
  [{ not: { const: 0 } }, -0],
  [{ maximum: 2 ** 53 }, parsed('9007199254740994')],
  [{ maximum: 2 ** 53 - 1 }, parsed('9007199254740993')],
];

const betweenMultiples = (): InvalidValue[] =>
  pairs([2, 3, 5, 7, 10, 64, 1_000], [-3, -1, 0, 1, 8, 1e6]).flatMap(([step, times]): InvalidValue[] => [
    [{ multipleOf: step }, step * times + 1],
    [{ multipleOf: step }, step * times + 0.5],
  ]);

/** No two of these are equal, however alike they look. */
const LOOKALIKES: JsonValue[] = [
  '',
  ' ',
  '0',
  '1',
  'true',
  'null',
  'a',
  'A',
  'a ',
  '\u0430',
  '\u00e9',
  'e\u0301',
  '\u212b',
  '\u00c5',
  'constructor',
  null,
  true,
  false,
  0,
  1,
  1 + 2 ** -52,
  2 ** 53,
  2 ** 53 - 1,
  [],
  [1],
  ['1'],
  [[1]],
  [1, 1],
  {},
  { a: 1 },
  { a: '1' },
  { a: 1, b: 1 },
  { b: 1 },
];

const otherConstants = (): InvalidValue[] =>
  pairs([...LOOKALIKES.keys()], [1, 2, 3, 5, 8, 13])
    .map(([index, by]) => [LOOKALIKES[index], LOOKALIKES[(index + by) % LOOKALIKES.length]] as [JsonValue, JsonValue])
    .flatMap(([constant, other]): InvalidValue[] => [
      [{ const: constant }, other],
      [{ enum: [constant] }, other],
    ]);

/** Patterns with texts that miss them by one character, one line or one case. */
const MISSED: InvalidValue[] = (
  [
    ['^a*$', ['b', 'ab', 'a\n', '\na', 'A', '\u0430']],
    ['^[0-9]{4}$', ['', '123', '12345', '12 4', '\u0661\u0662\u0663\u0664', '-123', '1234\n']],
    ['^\\d+$', ['', '1.0', '1e3', '+1', '\u0661', ' 1']],
    ['^\\p{Lu}', ['', 'a', '1', '\u00e9', ' A']],
    ['^.$', ['', 'ab', '\n', 'e\u0301', '\u{1f4a9}\u{1f4a9}']],
    ['\\bword\\b', ['words', 'sword', 'Word', 'w ord']],
    ['^(?!.*x)', ['x', 'ax', 'xx']],
    ['^(a|b)\\1$', ['ab', 'ba', 'a', 'aaa']],
  ] as const
).flatMap(([pattern, texts]) => texts.map((text): InvalidValue => [{ pattern }, text]));

/** Missing, left over, or of another type, under names that every object seems to have. */
const wrongEntries = (): InvalidValue[] =>
  ODD_NAMES.flatMap((name): InvalidValue[] => [
    [{ required: [name] }, {}],
    [{ required: [name] }, { other: 1 }],
    [{ required: [name, 'other'] }, { other: null }],
    [{ properties: { a: {} }, additionalProperties: false }, entry(name, 1)],
    [
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, ...entry(`${name}.`, 1) },
    ],
    [{ additionalProperties: { type: 'string' } }, entry(name, 1)],
    [{ dependentRequired: { a: [name] } }, { a: 1 }],
    [{ dependentRequired: { a: ['b', name] } }, { a: null, b: 1 }],
  ]);

const wrongProperties = (): InvalidValue[] =>
  ODD_NAMES.filter((name) => name !== '__proto__').flatMap((name): InvalidValue[] => [
    [{ properties: entry(name, { type: 'string' }) }, entry(name, 1)],
    [{ properties: entry(name, { maxLength: 1 }) }, entry(name, 'ab')],
    [{ properties: { b: { properties: entry(name, { const: 1 }) } } }, { b: entry(name, '1') }],
    [{ dependentRequired: entry(name, ['a']) }, entry(name, 1)],
  ]);

function wrongLists(): InvalidValue[] {
  const counted = upTo(12).flatMap((length): InvalidValue[] => [
    [{ maxItems: length }, upTo(length + 1)],
    [{ minItems: length + 1 }, upTo(length)],
    [{ items: { type: 'integer' } }, [...upTo(length), '0']],
    [{ items: { type: 'integer' } }, [0.5, ...upTo(length)]],
  ]);
  const twice = [...LOOKALIKES, { a: { b: [1, null] } }].flatMap((value): InvalidValue[] => [
    [{ uniqueItems: true }, [value, value]],
    [{ uniqueItems: true }, [value, 'between', parsed(JSON.stringify(value))]],
    [{ items: { uniqueItems: true } }, [[], [value, value]]],
  ]);
  const sameInOtherOrder: InvalidValue[] = [
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ uniqueItems: true }, [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]]],
    [{ uniqueItems: true }, [0, -0]],
    [{ uniqueItems: true }, [1, parsed('1.0')]],
    [{ uniqueItems: true }, [parsed('1e2'), 100]],
  ];
  return [...counted, ...twice, ...sameInOtherOrder];
}

/** Fits none where one is wanted, or two where exactly one is. */
const wrongCombinations = (): InvalidValue[] =>
  pairs(LOOKALIKES, ['anyOf', 'oneOf'] as const).flatMap(([value, keyword], index): InvalidValue[] => [
    [{ [keyword]: [{ const: value }, { const: [value] }] }, [[value]]],
    keyword === 'oneOf'
      ? [{ oneOf: [{ const: value }, true] }, value]
      : [{ anyOf: [false, { enum: [index, [value]] }] }, [[index]]],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of the schema
    [{ if: { const: value }, then: false }, value],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of the schema
    [{ if: { const: value }, then: true, else: false }, [[value]]],
  ]);

/** More than a thousand invalid values, keyword by keyword, each pair once. */
export function invalidValues(): InvalidValue[] {
  const all = [
    ...wrongTypes(),
    ...wrongLengths(),
    ...outOfBounds(),
    ...ZEROES,
    ...betweenMultiples(),
    ...otherConstants(),
    ...MISSED,
    ...wrongEntries(),
    ...wrongProperties(),
    ...wrongLists(),
    ...wrongCombinations(),
  ];
  return [...new Map(all.map((pair) => [keyOf(pair), pair])).values()];
}

/** Tells -0 from 0, which JSON does not. */
const keyOf = (pair: InvalidValue): string =>
  JSON.stringify(pair, (_key, value: unknown) => (Object.is(value, -0) ? '-0' : value));

import { describe, expect, it } from 'vitest';
import {
  askedValues,
  questionTitle,
  typedValue,
  type AskedKind,
  type AskedValue,
} from '../../src-shared/asked-values.ts';

const asked = (kind: AskedKind, options: string[] = []): AskedValue => ({
  name: 'a',
  label: 'A',
  kind,
  options,
  isRequired: true,
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
      askedValues(schema).map(({ name, label, kind, options, isRequired }) => [name, label, kind, options, isRequired]),
    ).toEqual([
      ['town', 'Town', 'text', [], true],
      ['count', 'count', 'whole_number', [], false],
      ['price', 'price', 'number', [], false],
      ['urgent', 'urgent', 'yes_no', [], false],
      ['size', 'size', 'choice', ['s', 'l'], false],
      ['tags', 'tags', 'json', [], false],
      ['odd', 'odd', 'json', [], false],
    ]);
  });

  it.each([null, [], 'x', 7])('is nothing when the properties are %j', (properties) => {
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
    [asked('json'), '{"a":[1]}', { a: [1] }],
    [asked('json'), '{"a"', '{"a"'],
    [asked('json'), 'null', null],
  ])('LIM-28 for %j as %j is %j: nothing is rounded or guessed', (value, typed, expected) => {
    expect(typedValue(value, typed)).toEqual(expected);
  });
});

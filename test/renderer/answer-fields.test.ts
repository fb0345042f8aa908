import { describe, expect, it } from 'vitest';
import { fieldKey, filledAnswers, parseAnswersDraft } from '../../src-renderer/features/card/answer-fields.ts';

const QUESTIONS = ['first', 'second'].map((callId) => ({
  callId,
  toolName: 'ask_x',
  schema: { type: 'object', properties: { town: { type: 'string' }, urgent: { type: 'boolean' } } },
}));

describe('the answers of a form', () => {
  it('T-99 are the values of each call, and nothing for what was left empty', () => {
    const typed = { [fieldKey('first', 'town')]: 'Ulm', [fieldKey('second', 'urgent')]: 'no' };
    expect(filledAnswers(QUESTIONS, typed)).toEqual({ first: { town: 'Ulm' }, second: { urgent: false } });
  });

  it('H-239 are the values that are offered, each of its own type, and whatever else was entered as it is', () => {
    const schema = { properties: { size: { enum: [1, '1', null] } } };
    const sent = (typed: string) =>
      filledAnswers([{ callId: 'call', toolName: 'ask_x', schema }], { [fieldKey('call', 'size')]: typed })['call'];
    expect(['1', '"1"', 'null', 'other', ''].map(sent)).toEqual([
      { size: 1 },
      { size: '1' },
      { size: null },
      { size: 'other' },
      {},
    ]);
  });

  it('T-101, H-233, H-234 and H-237 have a part for every question, also when nothing was touched', () => {
    expect(filledAnswers(QUESTIONS, {})).toEqual({ first: {}, second: {} });
  });

  it('T-98 and T-99 hold no value that nobody picked, whatever the schema puts first, takes for granted or requires', () => {
    const properties = {
      picked: { oneOf: [{ const: 'drop' }, { const: 'keep' }] },
      listed: { enum: [1, 2], default: 2 },
      agreed: { type: 'boolean' },
    };
    const questions = [{ callId: 'call', toolName: 'ask_x', schema: { properties, required: ['picked', 'agreed'] } }];
    expect(filledAnswers(questions, {})).toEqual({ call: {} });
    expect(filledAnswers(questions, { [fieldKey('call', 'agreed')]: 'no' })).toEqual({ call: { agreed: false } });
  });

  it('are told apart by call and name, whatever these hold', () => {
    expect(fieldKey('a', 'b","c')).not.toBe(fieldKey('a","b', 'c'));
  });

  it.each([
    [null, null],
    ['x', null],
    [{ a: 'text', b: 7, c: null }, { a: 'text' }],
  ])('come back from the draft %j as %j', (stored, expected) => {
    expect(parseAnswersDraft(stored)).toEqual(expected);
  });
});

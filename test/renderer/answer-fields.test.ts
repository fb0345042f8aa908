import { describe, expect, it } from 'vitest';
import { fieldKey, filledAnswers, parseAnswersDraft } from '../../src-renderer/features/card/answer-fields.ts';

const QUESTIONS = ['first', 'second'].map((callId) => ({
  callId,
  toolName: 'ask_x',
  schema: { type: 'object', properties: { town: { type: 'string' }, urgent: { type: 'boolean' } } },
}));

describe('the answers of a form', () => {
  it('are the values of each call, and nothing for what was left empty', () => {
    const typed = { [fieldKey('first', 'town')]: 'Ulm', [fieldKey('second', 'urgent')]: 'no' };
    expect(filledAnswers(QUESTIONS, typed)).toEqual({ first: { town: 'Ulm' }, second: { urgent: false } });
  });

  it('have a part for every question, also when nothing was touched', () => {
    expect(filledAnswers(QUESTIONS, {})).toEqual({ first: {}, second: {} });
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerProblems,
  cleanAnswers,
  JUDGING_MS,
  MAX_ANSWER_LENGTH,
  withAnswers,
} from '../../src-main/domain/question-rules.ts';
import { PATIENT_JUDGING_MS } from '../../src-main/domain/question-shape.ts';
import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';
import type { Answers } from '../../src-main/domain/run.ts';
import { aCall, aQuestion } from '../support/run-builders.ts';

const CALL = aCall('ask_x', { arguments: {} });
const OTHER = aCall('ask_x', { id: 'call-other', arguments: {} });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const TEXT = { type: 'string' };
const answered = (schema: JsonObject, values: JsonObject) =>
  answerProblems([aQuestion(CALL, schema)], { [CALL.id]: values }, PATIENT_JUDGING_MS).map(
    ({ field, problem }) => `${field} ${problem}`,
  );

describe('answers', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['false', { type: 'boolean' }, { a: false }],
    ['0', { type: 'integer' }, { a: 0 }],
    ["''", { type: 'string' }, { a: '' }],
    ['null', { type: 'null' }, { a: null }],
    ['[]', { type: 'array' }, { a: [] }],
    ['{}', { type: 'object' }, { a: {} }],
  ])('T-24 take %s for an answer', (_what, property, values) => {
    expect(answered(object({ a: property }, ['a']), values)).toEqual([]);
  });

  it('T-24 know nothing of what every object inherits', () => {
    const schema = object({ constructor: { type: 'string' }, a: { type: 'string' } }, ['a']);
    expect(answered(schema, { a: 'x' })).toEqual([]);
    expect(answered({ ...schema, required: ['constructor'] }, { a: 'x' })).toEqual(['constructor missing']);
  });

  it('R-140 are not judged by what nobody asked for, however much of it there is', () => {
    const many = Array.from({ length: 200_000 }, () => '\ud800');
    expect(answered(object({ a: { type: 'string' } }), { a: 'x', many, '\ud800': 1 })).toEqual([]);
    expect(answered(object({ many: { type: 'array' } }), { many: many.map(() => 'x') })).toEqual([]);
  });

  it('T-24 and H-234 tell an absent value from an empty one: nothing stands for a box that was not ticked', () => {
    expect(answered(object({ a: { type: 'string' } }, ['a']), {})).toEqual(['a missing']);
    expect(answered(object({ a: { type: 'string' } }), {})).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['another type', { type: 'boolean' }, { a: 'yes' }, 'a wrong_type'],
    ['a list for an object', { type: 'object' }, { a: [1] }, 'a wrong_type'],
    ['what does not read as a whole number', { type: 'integer' }, { a: '1e3' }, 'a wrong_type'],
    ['H-239 a constant of another type', { enum: [1, true] }, { a: '1' }, 'a not_an_option'],
    ['what is not asked for within', { type: 'object', additionalProperties: false }, { a: { b: 1 } }, 'a.b not_asked'],
    ['what another value calls for', { dependentRequired: { b: ['c'] } }, { a: { b: 1 } }, 'a.c missing'],
    ['a fraction for a whole number', { type: 'integer' }, { a: 1.5 }, 'a wrong_type'],
    ['no option', { enum: ['x', 'y'] }, { a: 'z' }, 'a not_an_option'],
    ['another constant', { const: 1 }, { a: 2 }, 'a not_an_option'],
    ['too much text', { type: 'string', maxLength: 2 }, { a: 'abc' }, 'a too_long'],
    ['too little text', { type: 'string', minLength: 2 }, { a: 'a' }, 'a too_short'],
    ['too small a number', { type: 'number', minimum: 2 }, { a: 1 }, 'a out_of_range'],
    ['too large a number', { type: 'number', exclusiveMaximum: 2 }, { a: 2 }, 'a out_of_range'],
    ['the wrong form', { type: 'string', pattern: '^x' }, { a: 'a' }, 'a not_valid'],
    ['half a character', { type: 'string' }, { a: '\ud800' }, 'a not_storable'],
    ['no finite number', { type: 'number' }, { a: Number.NaN }, 'a not_storable'],
    ['nothing but what is taken out', { type: 'string', minLength: 1 }, { a: '\u0000\u0007' }, 'a too_short'],
    ['an option that is not stored as it is', { enum: ['a\u0085b'] }, { a: 'a\u0085b' }, 'a not_an_option'],
  ])('R-74, H-228 and H-230 are refused for %s', (_what, property, values, expected) => {
    expect(answered(object({ a: property }), values)).toContain(expected);
  });

  it('H-230 name the place of a problem in something nested', () => {
    const inner = object({ 'b/c': { type: 'string' } }, ['b/c']);
    expect(answered(object({ a: inner }), { a: {} })).toEqual(['a.b/c missing']);
    expect(answered(object({ a: inner }), { a: { 'b/c': 1 } })).toEqual(['a.b/c wrong_type']);
  });

  it('H-226 are refused when a text is longer than a person types', () => {
    expect(answered(object({ a: { type: 'string' } }), { a: 'x'.repeat(MAX_ANSWER_LENGTH) })).toEqual([]);
    expect(answered(object({ a: { type: 'string' } }), { a: 'x'.repeat(MAX_ANSWER_LENGTH + 1) })).toEqual([
      'a too_long',
    ]);
  });

  const EVIL = { type: 'string', pattern: '^(a+)+$' };
  const SLOW = `${'a'.repeat(40)}!`;

  it.each<[string, JsonObject, JsonValue, JsonValue]>([
    ['a value', EVIL, SLOW, 'aaa'],
    ['a value within', { type: 'array', items: EVIL }, ['a', SLOW], ['a']],
    ['a name', { propertyNames: { pattern: '^(a+)+$' } }, { [SLOW]: 1 }, { aa: 1 }],
    ['names it is for', { patternProperties: { '^(a+)+$': TEXT } }, { [SLOW]: 'x' }, { a: 'x' }],
  ])('T-108 and H-230 name the field whose pattern for %s is not done in time', (_what, property, slow, quick) => {
    const schema = object({ fine: EVIL, a: property });
    const questions = [aQuestion(OTHER, schema), aQuestion(CALL, schema)];
    const answersWith = (a: JsonValue): Answers => ({ [OTHER.id]: { fine: 'a' }, [CALL.id]: { fine: 'a', a } });
    const started = performance.now();
    expect(answerProblems(questions, answersWith(slow), JUDGING_MS)).toEqual([
      { callId: CALL.id, field: 'a', problem: 'took_too_long' },
    ]);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(answerProblems(questions, answersWith(quick), PATIENT_JUDGING_MS)).toEqual([]);
  });

  it('T-108 are refused as a whole where it is no pattern that takes too long', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => [index]);
    const schema = object({ a: { type: 'array', uniqueItems: true } });
    expect(answerProblems([aQuestion(CALL, schema)], { [CALL.id]: { a: list } }, 20)).toEqual([
      { callId: CALL.id, field: '', problem: 'took_too_long' },
    ]);
  });

  it('T-66 are needed for every question of the turn and for nothing else', () => {
    const questions = [aQuestion(CALL), aQuestion(OTHER)];
    expect(answerProblems(questions, { [CALL.id]: { town: 'Ulm' }, stranger: {} }, PATIENT_JUDGING_MS)).toEqual([
      { callId: 'stranger', field: '', problem: 'not_asked' },
      { callId: OTHER.id, field: '', problem: 'missing' },
    ]);
    expect(answerProblems([aQuestion(aCall('ask_x', { id: 'constructor' }))], {}, PATIENT_JUDGING_MS)).toEqual([
      { callId: 'constructor', field: '', problem: 'missing' },
    ]);
  });

  it('H-226 are kept without what was not asked for and without control characters', () => {
    const values = { town: 'U\u0000l\u001b[31mm\n\t', evil: 'x', urgent: false };
    expect(cleanAnswers([aQuestion(CALL)], { [CALL.id]: values })).toEqual({
      [CALL.id]: { town: 'Ul[31mm\n\t', urgent: false },
    });
  });
});

describe('a call with answers', () => {
  it('H-219 takes the rest from the model, and within what was asked only what the person gave', () => {
    const question = aQuestion(CALL, object({ city: TEXT }));
    const call = { ...CALL, arguments: { city: 'guess', note: 'keep' } };
    expect(withAnswers(call, question, { [CALL.id]: { city: 'Berlin', evil: 'x' } }).arguments).toEqual({
      note: 'keep',
      city: 'Berlin',
    });
  });

  const key = fc.constantFrom<string[]>('a', 'b', 'c', 'toString', 'constructor', '__proto__', '');
  const given = fc.array(fc.tuple(key, fc.constantFrom<JsonValue>(null, 0, false, '', 'x', {}, [1])), { maxLength: 6 });
  const asObject = (entries: [string, JsonValue][]): JsonObject => Object.fromEntries(entries);

  it('R-140, H-219 and H-220 leaks no key either way, whatever the model, the person and the question name', () => {
    fc.assert(
      fc.property(given.map(asObject), given.map(asObject), fc.uniqueArray(key), (model, human, declared) => {
        const question = aQuestion(CALL, { type: 'object', properties: asObject(declared.map((name) => [name, {}])) });
        const before = structuredClone([model, human]);
        const executed = withAnswers({ ...CALL, arguments: model }, question, { [CALL.id]: human }).arguments;
        const expected = [
          ...Object.entries(model).filter(([name]) => !declared.includes(name)),
          ...Object.entries(human).filter(([name]) => declared.includes(name)),
        ];
        expect(new Map(Object.entries(executed))).toEqual(new Map(expected));
        expect(Object.getPrototypeOf(executed)).toBe(Object.prototype);
        expect([model, human]).toEqual(before);
        const stored = cleanAnswers([question], { [CALL.id]: human })[CALL.id] ?? {};
        expect(Object.keys(stored).toSorted()).toEqual(
          Object.keys(human)
            .filter((name) => declared.includes(name))
            .toSorted(),
        );
      }),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('R-140 takes the rest from the model, what was asked from the person, and nothing else from either', () => {
    const call = aCall('ask_x', { arguments: { town: 'guess', note: 'keep', urgent: true } });
    const executed = withAnswers(call, aQuestion(call), { [call.id]: { town: 'Berlin', evil: 'x' } });
    expect(executed).toEqual({ ...call, arguments: { note: 'keep', town: 'Berlin' } });
  });
});

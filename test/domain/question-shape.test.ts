import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';
import { isUsableQuestion, questionProblem, unreadableReason } from '../../src-main/domain/question-shape.ts';
import { aCall, anAskingTurn, aQuestion, aTurn } from '../support/run-builders.ts';

const TEXT = { type: 'string' };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
/** Each rule names the next one twice: judging takes 2 to the power of 40 steps, whatever is judged. */
const BRANCHING = Array.from({ length: 40 }, (_, index): [string, JsonValue] => {
  const next = { $ref: `#/$defs/r${index + 1}` };
  return [`r${index}`, { allOf: [next, next] }];
});

describe('a usable question', () => {
  it.each<[string, JsonObject, boolean]>([
    ['nothing', {}, false],
    ['a type', TEXT, true],
    ['properties without a type', { properties: { a: {} } }, true],
    ['no property', { properties: {} }, false],
  ])('H-197 that says %s (%j) is usable: %s', (_what, schema, expected) => {
    expect(isUsableQuestion(schema)).toBe(expected);
  });

  it.each<[string, JsonObject]>([
    ['a type that does not exist', object({ a: { type: 'dat' } })],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.invalid/a.json' } })],
    ['a reference to itself without end', { ...object({ a: TEXT }), $ref: '#' }],
    ['a pattern that is none', object({ a: { type: 'string', pattern: '(' } })],
    ['one that is judged later', { ...object({ a: TEXT }), $async: true }],
    [
      'rules that are never done with',
      { ...object({ a: TEXT }), $ref: '#/$defs/r0', $defs: Object.fromEntries([...BRANCHING, ['r40', true]]) },
    ],
  ])('R-75 and R-134 is not %s', (_what, schema) => {
    expect(isUsableQuestion(schema)).toBe(false);
    expect(questionProblem(schema)).toBe('schema_not_renderable');
  });
});

describe('the form of a question', () => {
  it.each<[string, JsonObject, string]>([
    ['an empty schema', {}, 'schema_no_fields'],
    ['a schema without properties', { type: 'object' }, 'schema_no_fields'],
    ['no property', object({}), 'schema_no_fields'],
    ['properties that are a list', { type: 'object', properties: [1] }, 'schema_no_fields'],
    ['a list', { type: 'array', items: TEXT }, 'schema_not_renderable'],
    ['a scalar', TEXT, 'schema_not_renderable'],
    ['a scalar that names properties', { type: ['string', 'null'], properties: { a: TEXT } }, 'schema_not_renderable'],
    [
      'a name nothing is judged under',
      object(JSON.parse('{"__proto__":{"type":"string"}}') as JsonObject),
      'schema_not_renderable',
    ],
  ])('H-200, R-75 and R-134 is none for %s: never an empty form', (_what, schema, expected) => {
    expect(questionProblem(schema)).toBe(expected);
  });

  it.each<[string, JsonObject]>([
    ['an undeclared value', object({ a: TEXT }, ['b'])],
    ['a value nothing fits', object({ a: false }, ['a'])],
    ['what every object inherits', object({ a: TEXT }, ['constructor'])],
  ])('H-240 is none when it can never be sent, for it requires %s', (_what, schema) => {
    expect(questionProblem(schema)).toBe('schema_not_renderable');
  });

  it.each<[string, JsonObject]>([
    ['R-134 an object with a property', object({ a: TEXT })],
    ['H-200 one of several types with a property', { ...object({ a: TEXT }), type: ['null', 'object'] }],
    ['H-200 a property and no type', { properties: { a: {} } }],
    ['H-240 a required object or list, which is answered as JSON', object({ a: { type: 'object' } }, ['a'])],
  ])('is there for %s', (_what, schema) => {
    expect(questionProblem(schema)).toBeNull();
  });
});

describe('a card', () => {
  const call = aCall('ask_x', { arguments: {} });
  const asking = (...schemas: JsonObject[]) =>
    anAskingTurn([call], { questions: schemas.map((schema) => aQuestion(call, schema)) });

  it('H-199 without a stored turn has no form', () => {
    expect(unreadableReason(null)).toBe('state_unreadable');
  });

  it('H-204 that waits for nothing can only be cancelled', () => {
    expect(unreadableReason(aTurn([]))).toBe('no_pending_calls');
  });

  it('H-198 and H-200 with one question that makes no form has none, and says why', () => {
    expect(unreadableReason(asking(object({ a: TEXT }), TEXT))).toBe('schema_not_renderable');
    expect(unreadableReason(asking(object({})))).toBe('schema_no_fields');
  });

  it('can be decided otherwise', () => {
    expect(unreadableReason(aTurn())).toBeNull();
    expect(unreadableReason(asking(object({ a: TEXT })))).toBeNull();
  });
});

import type { AnswerProblem } from '../../src-shared/refusals.ts';

/**
 * The keywords of JSON Schema 2020-12 that a question may rely on, each with what a person is told whose answer breaks it.
 * Every one is held to test/vectors/json-schema and to a second validator. Other keywords may stand in a question, and most
 * are judged, too; `format` says only what is meant, and `default` fills in nothing.
 */
export const QUESTION_KEYWORDS = {
  additionalProperties: 'not_asked',
  anyOf: 'not_valid',
  const: 'not_an_option',
  dependentRequired: 'missing',
  enum: 'not_an_option',
  exclusiveMaximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  // The keywords of the branch that was taken say more.
  if: 'not_valid',
  items: 'not_valid',
  maxItems: 'not_valid',
  maxLength: 'too_long',
  maximum: 'out_of_range',
  minItems: 'not_valid',
  minLength: 'too_short',
  minimum: 'out_of_range',
  multipleOf: 'not_valid',
  oneOf: 'not_valid',
  pattern: 'not_valid',
  properties: 'not_valid',
  required: 'missing',
  type: 'wrong_type',
  uniqueItems: 'not_valid',
} as const satisfies Record<string, AnswerProblem['problem']>;

/** What is wrong where an answer breaks a keyword. */
export const problemOfKeyword = (keyword: string): AnswerProblem['problem'] =>
  new Map<string, AnswerProblem['problem']>(Object.entries(QUESTION_KEYWORDS)).get(keyword) ?? 'not_valid';

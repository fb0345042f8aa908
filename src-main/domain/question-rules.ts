import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { AnswerProblem } from '../../src-shared/refusals.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isPlainJson } from './plain-json.ts';
import type { Answers } from './run.ts';
import type { CallQuestion, ToolCall } from './tool.ts';

/** Characters of one text; a person types, they do not paste books into a question (LIM-24). */
export const MAX_ANSWER_LENGTH = 4_000;
const MAX_PROBLEMS = 20;

/**
 * Whether a schema says what to ask: an object with at least one property, and one
 * that can be judged. An empty schema never means "accept anything".
 */
export function isUsableQuestion(schema: JsonObject): boolean {
  const declared = declaredKeys(schema);
  // ajv judges nothing under this name: whatever stood there would fit.
  if (schema.type !== 'object' || declared.length === 0 || declared.includes('__proto__')) return false;
  try {
    judge(schema, {});
    return true;
  } catch {
    // ajv throws for a schema it cannot compile: that is the answer, not a fault.
    return false;
  }
}

/**
 * What is wrong with a person's answers, by call and field; empty when each question
 * has its answers and nothing else is answered. `false`, `0`, `''` and null are
 * answers; only what is not there is missing (T-24).
 * Source: human-decisions.md §12.2, §12.3 step 6.
 */
export function answerProblems(questions: CallQuestion[], answers: Answers): AnswerProblem[] {
  const asked = new Set(questions.map(({ callId }) => callId));
  const strangers = Object.keys(answers).filter((callId) => !asked.has(callId));
  return [
    ...strangers.map((callId) => ({ callId, field: '', problem: 'not_asked' as const })),
    ...questions.flatMap(({ callId, schema }) =>
      Object.hasOwn(answers, callId)
        ? problemsOf(schema, answers[callId] as JsonObject).map((problem) => ({ callId, ...problem }))
        : [{ callId, field: '', problem: 'missing' as const }],
    ),
  ].slice(0, MAX_PROBLEMS);
}

type FieldProblem = Omit<AnswerProblem, 'callId'>;

/** Judges what would be stored: without undeclared keys and control characters. What fits is not judged otherwise when it is carried out. */
function problemsOf(schema: JsonObject, values: JsonObject): FieldProblem[] {
  const given = boundToDeclared(schema, values);
  const broken = Object.keys(given).filter((field) => !isPlainJson(given[field]));
  if (broken.length > 0) return broken.map((field) => ({ field, problem: 'not_storable' as const }));
  const cleaned = withoutControls(given) as JsonObject;
  const long = Object.entries(cleaned).filter(([, value]) => holdsLongText(value));
  return [
    ...long.map(([field]) => ({ field, problem: 'too_long' as const, limit: MAX_ANSWER_LENGTH })),
    ...judge(schema, cleaned).map(problemOf),
  ];
}

function holdsLongText(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length > MAX_ANSWER_LENGTH;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLongText);
}

/** Knows what a schema is; compiled for each question it took 24 of the 27 ms of a submission, inside its transaction. */
const SCHEMAS = new Ajv2020({ strict: false });

/**
 * A new instance for each question: a shared one would keep every schema it ever saw.
 * Faults: for a schema that is none, and for one that answers later.
 */
function judge(schema: JsonObject, values: JsonObject): ErrorObject[] {
  if (SCHEMAS.validateSchema(schema) !== true) throw new Error(SCHEMAS.errorsText());
  // `strict: false` alone would let NaN and Infinity pass as integers (T-108).
  // Own properties only: a value called `constructor` would be there before anybody entered it.
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    ownProperties: true,
    meta: false,
    validateSchema: false,
  });
  const validate = ajv.compile(schema);
  if ('$async' in validate) throw new Error('A question is judged at once.');
  validate(values);
  return validate.errors ?? [];
}

const PROBLEM_OF_KEYWORD: Record<string, FieldProblem['problem']> = {
  required: 'missing',
  type: 'wrong_type',
  enum: 'not_an_option',
  const: 'not_an_option',
  maxLength: 'too_long',
  minLength: 'too_short',
  maximum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  minimum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
};

function problemOf({ keyword, params, instancePath }: ErrorObject): FieldProblem {
  const missing = keyword === 'required' ? String(params['missingProperty']) : '';
  const limit: unknown = params['limit'];
  return {
    field: [...pathOf(instancePath), ...(missing ? [missing] : [])].join('.'),
    problem: PROBLEM_OF_KEYWORD[keyword] ?? 'not_valid',
    ...(typeof limit === 'number' ? { limit } : {}),
  };
}

/** `/a~1b/0` -> `['a/b', '0']`. */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function declaredKeys(schema: JsonObject): string[] {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

function boundToDeclared(schema: JsonObject, values: JsonObject): JsonObject {
  const declared = declaredKeys(schema).filter((key) => Object.hasOwn(values, key));
  return Object.fromEntries(declared.map((key) => [key, values[key] as JsonValue]));
}

/**
 * The answers as they are stored: only what was asked for, without control
 * characters except line breaks and tabs.
 */
export function cleanAnswers(questions: CallQuestion[], answers: Answers): Answers {
  return Object.fromEntries(
    questions.map(({ callId, schema }) => [
      callId,
      withoutControls(boundToDeclared(schema, answers[callId] ?? {})) as JsonObject,
    ]),
  );
}

// oxlint-disable-next-line no-control-regex -- these are exactly what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function withoutControls(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(CONTROLS, '');
  if (Array.isArray(value)) return value.map(withoutControls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutControls(inner)]));
}

/**
 * A call with a person's answers: whatever the model put under a declared key is
 * gone, answered or not, and nothing undeclared is taken from the person.
 */
export function withAnswers(call: ToolCall, question: CallQuestion, answers: Answers): ToolCall {
  const declared = new Set(declaredKeys(question.schema));
  const own = Object.entries(call.arguments).filter(([key]) => !declared.has(key));
  return {
    ...call,
    arguments: { ...Object.fromEntries(own), ...boundToDeclared(question.schema, answers[call.id] ?? {}) },
  };
}

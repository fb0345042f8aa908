import type { ErrorObject } from 'ajv/dist/2020.js';
import type { AnswerProblem } from '../../src-shared/refusals.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isPlainJson } from './plain-json.ts';
import { problemOfKeyword } from './question-keywords.ts';
import { declaredKeys } from './question-shape.ts';
import type { Answers } from './run.ts';
import { schemaJudge, type SchemaJudge } from './schema-judge.ts';
import type { CallQuestion, ToolCall } from './tool.ts';
import { withinTime } from './within-time.ts';

/** Characters of one text; a person types, they do not paste books into a question (LIM-24). */
export const MAX_ANSWER_LENGTH = 4_000;
const MAX_PROBLEMS = 20;
/** Milliseconds that judging one submission may take. It happens inside a transaction: meanwhile nobody else writes. */
export const JUDGING_MS = 50;

/**
 * What is wrong with a person's answers, by call and field; empty when each question
 * has its answers and nothing else is answered. `false`, `0`, `''` and null are
 * answers; only what is not there is missing (T-24). Answers that are not judged after `limitMs` are refused.
 * Source: human-decisions.md §12.2, §12.3 step 6.
 */
export function answerProblems(questions: CallQuestion[], answers: Answers, limitMs: number): AnswerProblem[] {
  const asked = new Set(questions.map(({ callId }) => callId));
  const strangers = Object.keys(answers).filter((callId) => !asked.has(callId));
  // Made ready beforehand: only what a schema can make long is timed.
  const parts = questions.map((question) => partOf(question, answers));
  let [current] = parts;
  const judged = withinTime(limitMs, () => parts.flatMap((part) => problemsOf((current = part))));
  return [
    ...strangers.map((callId) => ({ callId, field: '', problem: 'not_asked' as const })),
    ...(judged ? judged.value : tookTooLong(current)),
  ].slice(0, MAX_PROBLEMS);
}

type FieldProblem = Omit<AnswerProblem, 'callId'>;

/** The answers to one question. */
interface Part {
  callId: string;
  /** As they would be stored: without undeclared keys and control characters. What fits is not judged otherwise when it is carried out. */
  values: JsonObject;
  /** What is wrong with them whatever was asked. */
  found: FieldProblem[];
  /** Null where the question need not be looked at any more. */
  judge: SchemaJudge | null;
}

function partOf({ callId, schema }: CallQuestion, answers: Answers): Part {
  const answer = Object.hasOwn(answers, callId) ? answers[callId] : undefined;
  if (!answer) return { callId, values: {}, found: [{ field: '', problem: 'missing' }], judge: null };
  const given = boundToDeclared(schema, answer);
  const broken = Object.keys(given).filter((field) => !isPlainJson(given[field]));
  if (broken.length > 0) {
    const found = broken.map((field) => ({ field, problem: 'not_storable' as const }));
    return { callId, values: {}, found, judge: null };
  }
  const values = withoutControls(given) as JsonObject;
  const long = Object.keys(values).filter((field) =>
    someText(values[field], (text) => text.length > MAX_ANSWER_LENGTH),
  );
  const found = long.map((field) => ({ field, problem: 'too_long' as const, limit: MAX_ANSWER_LENGTH }));
  return { callId, values, found, judge: schemaJudge(schema) };
}

const problemsOf = ({ callId, values, found, judge }: Part): AnswerProblem[] =>
  [...found, ...(judge?.errorsOf(values) ?? []).map(problemOf)].map((problem) => ({ callId, ...problem }));

/** Names the fields that hold the text a pattern did not get done with; the whole answer where it was no pattern. */
function tookTooLong(part: Part | undefined): AnswerProblem[] {
  if (!part) return [];
  const { callId, values, judge } = part;
  const text = judge?.textAtHand();
  const fields = Object.keys(values).filter(
    (field) => field === text || someText(values[field], (one) => one === text),
  );
  return (fields.length > 0 ? fields : ['']).map((field) => ({ callId, field, problem: 'took_too_long' }));
}

function someText(value: JsonValue | undefined, fits: (text: string) => boolean): boolean {
  if (typeof value === 'string') return fits(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => fits(key) || someText(inner, fits));
}

function problemOf({ keyword, params, instancePath }: ErrorObject): FieldProblem {
  const { limit, missingProperty, additionalProperty }: Record<string, unknown> = params;
  const named = [missingProperty, additionalProperty].filter((name) => typeof name === 'string');
  return {
    field: [...pathOf(instancePath), ...named].join('.'),
    problem: problemOfKeyword(keyword),
    ...(typeof limit === 'number' ? { limit } : {}),
  };
}

/** `/a~1b/0` -> `['a/b', '0']`. */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

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

import type { UnreadableReason } from '../../src-shared/vocabulary.ts';
import type { JsonObject } from './json-value.ts';
import type { PendingTurn } from './run.ts';
import { schemaJudge } from './schema-judge.ts';
import { asksForInput } from './turn-rules.ts';
import { withinTime } from './within-time.ts';

/** Milliseconds that judging what fitted before may take: the machine may be busier than it was, and no word is asked of a person. */
export const PATIENT_JUDGING_MS = 1_000;

/**
 * Why a card cannot be decided, only cancelled; null when it can (LIM-25).
 * Source: human-decisions.md §13.1.
 */
export function unreadableReason(turn: PendingTurn | null): UnreadableReason | null {
  if (!turn) return 'state_unreadable';
  if (turn.calls.length === 0) return 'no_pending_calls';
  if (!asksForInput(turn)) return null;
  return turn.questions.map(({ schema }) => questionProblem(schema)).find((problem) => problem !== null) ?? null;
}

/**
 * Why a schema makes no form that a person could fill in and send; null when it does. A form that nobody could ever
 * send is as bad as one without fields (LIM-27).
 */
export function questionProblem(schema: JsonObject): 'schema_not_renderable' | 'schema_no_fields' | null {
  if (!asksForObject(schema)) return 'schema_not_renderable';
  if (declaredKeys(schema).length === 0) return 'schema_no_fields';
  if (requiredKeys(schema).some((key) => !mayBeFilledIn(schema, key))) return 'schema_not_renderable';
  return isUsableQuestion(schema) ? null : 'schema_not_renderable';
}

/**
 * Whether a schema says what to ask, and can be judged. An empty schema never means "accept anything"; a usable
 * one need not make a form.
 * Source: human-decisions.md §12.1.
 */
export function isUsableQuestion(schema: JsonObject): boolean {
  if (!Object.hasOwn(schema, 'type') && declaredKeys(schema).length === 0) return false;
  try {
    const judge = schemaJudge(schema);
    return withinTime(PATIENT_JUDGING_MS, () => judge.errorsOf({})) !== null;
  } catch {
    // ajv throws for a schema it cannot compile or that refers to itself without end: that is the answer, not a fault.
    return false;
  }
}

/** The names a question asks for; nothing else is taken from a person. */
export function declaredKeys({ properties }: JsonObject): string[] {
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

const asksForObject = ({ type }: JsonObject): boolean =>
  type === undefined || (Array.isArray(type) ? type.includes('object') : type === 'object');

const requiredKeys = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];

/** Nothing undeclared is taken from a person, and nothing fits `false`. */
const mayBeFilledIn = (schema: JsonObject, key: string): boolean =>
  declaredKeys(schema).includes(key) && (schema['properties'] as JsonObject)[key] !== false;

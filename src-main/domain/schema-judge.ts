import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from './json-value.ts';

/** Judges values by one schema. */
export interface SchemaJudge {
  /** What is wrong with a value; empty when it fits. */
  errorsOf(value: JsonValue): ErrorObject[];
  /** The text a pattern is held against at this moment, or was when it was interrupted; null = none. */
  textAtHand(): string | null;
}

/** Knows what a schema is; compiled for each question it took 24 of the 27 ms of a submission, inside its transaction. */
const SCHEMAS = new Ajv2020({ strict: false });

/**
 * Compiles a schema (JSON Schema 2020-12; docs/question-keywords.md names what is held to). A pattern may take for ever:
 * what comes from outside is judged `withinTime`.
 * A new instance for each schema: a shared one would keep every schema it ever saw.
 * Faults: for a schema that is none, and for one that answers later.
 */
export function schemaJudge(schema: JsonObject): SchemaJudge {
  if (namesPrototype(schema)) throw new Error('Nothing is judged that is called __proto__.');
  if (SCHEMAS.validateSchema(schema) !== true) throw new Error(SCHEMAS.errorsText());
  let atHand: string | null = null;
  class NotedPattern extends RegExp {
    override test(text: string): boolean {
      atHand = text;
      const fits = super.test(text);
      atHand = null;
      return fits;
    }
  }
  // ajv wants `code` for schemas that it writes to files; none is.
  const regExp = Object.assign((source: string, flags: string) => new NotedPattern(source, flags), { code: '' });
  // `strict: false` alone would let NaN and Infinity pass as integers (T-108).
  // Own properties only: a value called `constructor` would be there before anybody entered it.
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    ownProperties: true,
    meta: false,
    validateFormats: false,
    validateSchema: false,
    code: { regExp },
  });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', validate: isMultiple });
  const validate = ajv.compile(schema);
  if ('$async' in validate) throw new Error('A question is judged at once.');
  return {
    errorsOf(value) {
      validate(value);
      return validate.errors ?? [];
    },
    textAtHand: () => atHand,
  };
}

/** ajv judges nothing under this name: whatever stood there would fit. */
const namesPrototype = (schema: JsonValue): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (Object.hasOwn(schema, '__proto__') || Object.values(schema).some(namesPrototype));

/** How far a quotient of decimal fractions may be off, of itself: dividing rounds each of three numbers once. */
const ROUNDING = 2 ** -50;

/** ajv's own takes 0.3 for no multiple of 0.1, and 1e21 for none of 1: it compares what was rounded. */
function isMultiple(step: number, value: number): boolean {
  if (Number.isInteger(step) && Number.isInteger(value)) return value % step === 0;
  const times = value / step;
  return Number.isFinite(times) && Math.abs(Math.round(times) - times) <= Math.abs(times) * ROUNDING;
}

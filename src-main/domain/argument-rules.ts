import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { MAX_CALL_ID_LENGTH } from '../../src-shared/run-limits.ts';
import type { JsonObject } from './json-value.ts';
import type { RequestedCall } from './model-client.ts';
import { NotPlainJsonError, provePlainJson } from './plain-json.ts';
import type { ToolCall, ToolDefinition } from './tool.ts';

// `strict: false` alone would let NaN and Infinity pass as integers (T-108).
const ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true });
const validators = new WeakMap<JsonObject, ValidateFunction>();

/**
 * What is wrong with a call's arguments, one plain sentence each; empty when they
 * fit the tool's parameters. Checked before a card is shown and before execution.
 */
export function argumentProblems(definition: ToolDefinition, args: JsonObject): string[] {
  let validate = validators.get(definition.parameters);
  if (!validate) {
    validate = ajv.compile(definition.parameters);
    validators.set(definition.parameters, validate);
  }
  if (validate(args)) return [];
  return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => {
    const extra = 'additionalProperty' in error.params ? ` (${String(error.params.additionalProperty)})` : '';
    return `${error.instancePath || 'arguments'} ${error.message ?? 'is not valid'}${extra}`;
  });
}

const MAX_PROBLEMS = 10;
/** Stands in the transcript for a call without a name: providers refuse an empty one. */
const UNNAMED = 'unnamed_tool';

/** A call of the model's turn after reading it: usable, or answered with `problem` and never executed. */
export interface ReadCall {
  call: ToolCall;
  problem: string | null;
}

/**
 * Reads the calls of one answer. Nothing is emptied silently: arguments that are
 * not a JSON object, that JSON would change, that do not fit the tool's schema or
 * that share an id become a problem the model is told (D-12, X-13). A call without
 * an id, with one already used, or with one longer than a person's word about it may name, gets an id of its own so that each call has
 * exactly one answer.
 */
export function readCalls(requested: RequestedCall[], find: (name: string) => ToolDefinition | undefined): ReadCall[] {
  const seen = new Set<string>();
  return requested.map((raw, index) => {
    const isDuplicate = seen.has(raw.id);
    const isNameable = raw.id !== '' && raw.id.length <= MAX_CALL_ID_LENGTH;
    const id = isNameable && !isDuplicate ? raw.id : unusedId(seen, index);
    seen.add(id);
    const parsed = parseArguments(raw.argumentsText);
    const call: ToolCall = { id, name: raw.name || UNNAMED, arguments: parsed.value };
    if (raw.name === '') return { call, problem: 'The call names no tool. Nothing was executed.' };
    if (isDuplicate)
      return { call, problem: 'Two calls of this turn have the same id. Nothing was executed; send each call once.' };
    if (parsed.problem) return { call, problem: parsed.problem };
    const definition = find(raw.name);
    const problems = definition ? argumentProblems(definition, call.arguments) : [];
    if (problems.length === 0) return { call, problem: null };
    return { call, problem: `The arguments do not fit ${raw.name}: ${problems.join('; ')}. Nothing was executed.` };
  });
}

function unusedId(seen: Set<string>, index: number): string {
  let id = `call-${index + 1}`;
  while (seen.has(id)) id += '-again';
  return id;
}

function parseArguments(text: string): { value: JsonObject; problem: string | null } {
  // Providers send '' for a tool without parameters; that is an empty object by convention, not by our guess.
  if (text.trim() === '') return { value: {}, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    provePlainJson(value);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as JsonObject, problem: null };
    return { value: {}, problem: 'The arguments are not a JSON object. Nothing was executed.' };
  } catch (error) {
    if (error instanceof NotPlainJsonError) {
      return {
        value: {},
        problem: `The arguments cannot be taken as they are: ${error.message}. Nothing was executed.`,
      };
    }
    if (error instanceof SyntaxError)
      return { value: {}, problem: 'The arguments are not valid JSON. Nothing was executed.' };
    throw error;
  }
}

import type { JsonValue } from '../domain/json-value.ts';
import type { Message } from '../domain/message.ts';
import { parseTemplate, type Filter, type Reference, type Step } from './template.ts';

type ToolResult = Extract<Message, { role: 'tool' }>;

/** What references may look at: the first user message, all tool results after it, oldest first, and the scenario's named values. */
export interface TemplateScope {
  prompt: string;
  results: ToolResult[];
  values: [name: string, value: JsonValue][];
}

/** A pattern may be slow on a long text; nothing worth matching stands later than this many characters. */
const MAX_MATCHED_LENGTH = 100_000;

/** A reference without a value and without a default. */
export class MissingReferenceError extends Error {
  readonly reference: string;
  constructor(reference: string) {
    super(`${reference} has no value`);
    this.name = 'MissingReferenceError';
    this.reference = reference;
  }
}

/**
 * Fills in every text of a value, at any depth. A text that is exactly one
 * reference becomes the value itself, so a number stays a number.
 * Faults: `MissingReferenceError`, `TemplateError`.
 */
export function renderValue(value: JsonValue, scope: TemplateScope): JsonValue {
  if (typeof value === 'string') return renderTemplate(value, scope);
  if (Array.isArray(value)) return value.map((item) => renderValue(item, scope));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderValue(item, scope)]));
}

/** As `renderValue`; undefined instead of a `MissingReferenceError`. */
export function renderIfPossible(value: JsonValue, scope: TemplateScope): JsonValue | undefined {
  try {
    return renderValue(value, scope);
  } catch (error) {
    if (error instanceof MissingReferenceError) return undefined;
    throw error;
  }
}

/** As `renderValue`, always a text. Objects and lists appear as JSON. */
export function renderText(text: string, scope: TemplateScope): string {
  return toText(renderTemplate(text, scope));
}

function renderTemplate(text: string, scope: TemplateScope): JsonValue {
  const parts = parseTemplate(text);
  const only = parts[0];
  if (parts.length === 1 && typeof only === 'object') return resolve(only, scope);
  return parts.map((part) => (typeof part === 'string' ? part : toText(resolve(part, scope)))).join('');
}

function resolve(reference: Reference, scope: TemplateScope): JsonValue {
  let value = lookUp(reference, scope);
  for (const filter of reference.filters) value = applyFilter(filter, value);
  if (value === undefined) throw new MissingReferenceError(reference.source);
  return value;
}

function lookUp({ root, steps }: Reference, scope: TemplateScope): JsonValue | undefined {
  if (root === 'prompt') return steps.reduce(takeStep, scope.prompt as JsonValue | undefined);
  const [which, ...path] = steps;
  if (which?.kind !== 'key') return undefined;
  const { key } = which;
  if (root === 'values') return path.reduce(takeStep, readNamed(String(key), scope));
  const result =
    typeof key === 'number' ? scope.results[key] : scope.results.findLast((candidate) => candidate.toolName === key);
  return result && readResult(result, path);
}

/** A named value may use the ones named before it only, so none can contain itself. Without its data it is missing itself. */
function readNamed(name: string, scope: TemplateScope): JsonValue | undefined {
  const position = scope.values.findIndex(([candidate]) => candidate === name);
  const value = scope.values[position]?.[1];
  return value === undefined
    ? undefined
    : renderIfPossible(value, { ...scope, values: scope.values.slice(0, position) });
}

function readResult(result: ToolResult, path: Step[]): JsonValue | undefined {
  const [first, ...rest] = path;
  const name = first?.kind === 'key' ? first.key : null;
  if (name === 'content') return rest.reduce(takeStep, result.content as JsonValue | undefined);
  if (name === 'isError') return rest.length === 0 ? result.isError : undefined;
  if (name === 'tool') return rest.length === 0 ? result.toolName : undefined;
  const parsed = parseJson(result.content);
  if (first === undefined || first.kind === 'match') return path.reduce(takeStep, parsed ?? result.content);
  return (name === 'json' ? rest : path).reduce(takeStep, parsed);
}

function takeStep(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (step.kind === 'match') {
    const match = step.pattern.exec(toText(value).slice(0, MAX_MATCHED_LENGTH));
    return match ? (match[1] ?? match[0]) : undefined;
  }
  if (Array.isArray(value)) return typeof step.key === 'number' ? value[step.key] : undefined;
  if (typeof value !== 'object' || !Object.hasOwn(value, step.key)) return undefined;
  return value[step.key];
}

function applyFilter(filter: Filter, value: JsonValue | undefined): JsonValue | undefined {
  if (filter.name === 'default') return isPresent(value) ? value : filter.fallback;
  if (value === undefined) return undefined;
  switch (filter.name) {
    case 'json':
      return JSON.stringify(value);
    case 'number':
      return toNumber(value);
    case 'plain':
      return toText(value)
        .replaceAll(/<[^<>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    case 'truncate':
      return truncate(toText(value), filter.length);
  }
}

/** Whether a value says anything: not missing, null or the empty text. */
export function isPresent(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== '';
}

function toNumber(value: JsonValue): number | undefined {
  const text = toText(value).trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? number : undefined;
}

/** Cuts between words where it can, never inside a character. */
function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const head = characters.slice(0, Math.max(0, length - 1)).join('');
  const lastSpace = head.lastIndexOf(' ');
  // A cut that would lose half of the text is worse than one inside a word.
  const kept = characters[length - 1] !== ' ' && lastSpace > head.length / 2 ? head.slice(0, lastSpace) : head;
  return length === 0 ? '' : `${kept.trimEnd()}…`;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Results are text; most tools write JSON. Text that is no JSON has no parsed form, which is not an error. */
function parseJson(content: string): JsonValue | undefined {
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return undefined;
  }
}

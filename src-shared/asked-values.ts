/*
 * A question as a person meets it: which values its schema asks for, and what they typed
 * as a value. Terminal and page ask the same way. What fits is judged by the run alone.
 */

/** One value a question asks for. */
export interface AskedValue {
  name: string;
  label: string;
  kind: AskedKind;
  /** What may be picked; empty unless `kind` is `choice` or `several`. */
  options: AskedOption[];
  isRequired: boolean;
  /** What the schema says about it in words; '' = nothing. */
  description: string;
  /** What an answer has to keep to, beside its kind. */
  limits: AskedLimit[];
  /** What the schema names as its default, as it would be typed; '' = none. Never filled in for a person. */
  suggestion: string;
}
export type AskedKind = 'text' | 'whole_number' | 'number' | 'yes_no' | 'choice' | 'several' | 'json';

/** A keyword of the schema that is told to a person, with its value. */
export interface AskedLimit {
  keyword: LimitKeyword;
  limit: number | string;
}

/** One of a few values, of whatever type, with the words for it: never blank, and no two alike within a question. */
export interface AskedOption {
  label: string;
  value: unknown;
}

type Schema = Record<string, unknown>;

/** Which keywords bind which kind of answer. Others are judged all the same, and said when they do not hold. */
const LIMITS = {
  text: ['minLength', 'maxLength', 'pattern', 'format'],
  whole_number: ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
  several: ['minItems', 'maxItems'],
  json: ['minItems', 'maxItems'],
  yes_no: [],
  choice: [],
} as const satisfies Record<AskedKind, readonly string[]>;
export type LimitKeyword = (typeof LIMITS)[AskedKind][number];

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KINDS = new Map<unknown, AskedKind>([
  ['string', 'text'],
  ['integer', 'whole_number'],
  ['number', 'number'],
  ['boolean', 'yes_no'],
  ['object', 'json'],
  ['array', 'json'],
  ['null', 'json'],
]);

/** What says more about a value without a type than that it may be a text. */
const COMBINING = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * The values a question's schema asks for, in order.
 * Source: human-decisions.md §13.2.
 */
export function askedValues(schema: Schema): AskedValue[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => askedValue(name, property, required.includes(name)));
}

function askedValue(name: string, property: unknown, isRequired: boolean): AskedValue {
  const asked: AskedValue = {
    name,
    label: isSchema(property) && isWords(property['title']) ? property['title'] : asWords(name),
    kind: kindOf(property),
    options: [],
    isRequired,
    description: isSchema(property) && isWords(property['description']) ? property['description'] : '',
    limits: [],
    suggestion: '',
  };
  if (!isSchema(property)) return asked;
  const [one, several] = [optionsOf(property), optionsOfItems(property)];
  if (one.length > 0) Object.assign(asked, { kind: 'choice', options: one });
  else if (several.length > 0) Object.assign(asked, { kind: 'several', options: several });
  asked.limits = limitsOf(asked.kind, property);
  asked.suggestion = 'default' in property ? (typedText(asked, property['default']) ?? '') : '';
  return asked;
}

const limitsOf = (kind: AskedKind, property: Schema): AskedLimit[] =>
  LIMITS[kind].flatMap((keyword): AskedLimit[] => {
    const limit = property[keyword];
    return typeof limit === 'number' || isWords(limit) ? [{ keyword, limit }] : [];
  });

function kindOf(property: unknown): AskedKind {
  if (!isSchema(property)) return 'json';
  const { type } = property;
  const single: unknown = Array.isArray(type) ? type.find((each) => typeof each === 'string' && each !== 'null') : type;
  return KINDS.get(single) ?? (COMBINING.some((keyword) => keyword in property) ? 'json' : 'text');
}

const isWords = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';

/** `page_title` -> `Page title`. */
function asWords(name: string): string {
  const [first = '', ...rest] = name.replaceAll('_', ' ');
  return first.toUpperCase() + rest.join('');
}

/** The values of `enum`, `const`, or of a `oneOf` or `anyOf` that only names constants. */
function optionsOf(property: Schema): AskedOption[] {
  const { enum: listed, oneOf, anyOf } = property;
  if ('const' in property) return labelled([{ value: property['const'] }]);
  if (Array.isArray(listed)) return labelled(listed.map((value: unknown) => ({ value })));
  const constants = [oneOf, anyOf].find(
    (each): each is Schema[] => Array.isArray(each) && each.every((one) => isSchema(one) && 'const' in one),
  );
  return labelled((constants ?? []).map(({ const: value, title }) => ({ value, title })));
}

/** The options of a list that may hold some of them. */
const optionsOfItems = ({ type, items }: Schema): AskedOption[] =>
  (Array.isArray(type) ? type.includes('array') : type === 'array') && isSchema(items) ? optionsOf(items) : [];

/** As the schema calls them, or as they are; as JSON where two would look alike, 1 and "1" being two answers, or fill lines. */
function labelled(options: { value: unknown; title?: unknown }[]): AskedOption[] {
  const named = options.map(({ value, title }) => ({
    value,
    label: isWords(title) ? title : isWords(value) ? value : JSON.stringify(value),
  }));
  const isOneLine = named.every(({ label }) => !label.includes('\n'));
  const isPlain = isOneLine && new Set(named.map(({ label }) => label.trim())).size === named.length;
  return isPlain ? named : options.map(({ value }) => ({ value, label: JSON.stringify(value) }));
}

/** What a question asks, in one line: its title, or the name of its tool. */
export const questionTitle = ({ schema, toolName }: { schema: Schema; toolName: string }): string =>
  isWords(schema['title']) ? schema['title'] : toolName;

const YES_NO = new Map([
  ...['yes', 'true', 'on', '1'].map((word) => [word, true] as const),
  ...['no', 'false', 'off', '0'].map((word) => [word, false] as const),
]);

/**
 * What was typed, as a value of the kind asked for; undefined = left out. A choice may be
 * named by its number, from 1; several are named one to a line, or by their numbers with
 * commas between. What does not read as its kind stays text, and nothing is
 * rounded: the run says what is wrong with it.
 */
export function typedValue({ kind, options }: Pick<AskedValue, 'kind' | 'options'>, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'text':
      return typed;
    case 'choice':
      return pickedValue(options, text);
    case 'several':
      return text === NONE_OF_THESE ? [] : pickedLabels(options, text).map((label) => pickedValue(options, label));
    case 'whole_number':
      return /^-?\d+$/.test(text) ? exactNumber(text) : text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? exactNumber(text) : text;
    case 'yes_no':
      return YES_NO.get(text.toLowerCase()) ?? text;
    case 'json':
      return parsed(text);
  }
}

function pickedValue(options: AskedOption[], text: string): unknown {
  const picked = options.find(({ label }) => label.trim() === text) ?? options[Number(text) - 1];
  return picked ? picked.value : text;
}

/** Digits a number keeps whatever they are (IEEE 754, double precision). */
const KEPT_DIGITS = 15;

/** The number, or the text where a number would not keep all of its digits. */
function exactNumber(text: string): number | string {
  const digits = text.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  const number = Number(text);
  const isKept = String(number) === text && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return digits.length <= KEPT_DIGITS || isKept ? number : text;
}

/** What stands for a list of which nothing was picked, which is an answer, too. */
export const NONE_OF_THESE = '[]';

/** The labels of several picked options, as `typedValue` takes them. */
export function pickedLabels(options: AskedOption[], typed: string): string[] {
  const text = typed.trim();
  const isNumbers = /^\d+(\s*,\s*\d+)+$/.test(text) && !options.some(({ label }) => label.trim() === text);
  const parts = isNumbers ? text.split(',') : text.split('\n');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** What a JSON text says. What is none, or would not be the same, is sent as text, and the run says that a text does not fit. */
function parsed(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : text;
}

/** A JSON text read, or what is wrong with it: no number is rounded, none becomes infinite (T-101). */
export function readJson(text: string): { value: unknown } | { problem: 'not_json' | 'not_exact' } {
  let isExact = true;
  const prove: Reviver = (_key, each, context) => {
    if (typeof each === 'number' && !isSameNumber(each, context?.source)) isExact = false;
    return each;
  };
  try {
    const value: unknown = JSON.parse(text, prove);
    return isExact ? { value } : { problem: 'not_exact' };
  } catch {
    return { problem: 'not_json' };
  }
}

/** How a number was written is told by engines of 2023 and later. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** Whether a number still says what was written. */
function isSameNumber(number: number, source: string | undefined): boolean {
  if (!Number.isFinite(number)) return false;
  if (source === undefined || /[eE]/.test(source)) return Number.isSafeInteger(number) || !Number.isInteger(number);
  return typeof exactNumber(source) === 'number';
}

/**
 * How a value is typed, so that `typedValue` gives it back; null = nothing that can be typed stands for it.
 * A form begins with it where a value is there already.
 */
export function typedText(asked: Pick<AskedValue, 'kind' | 'options'>, value: unknown): string | null {
  const text = textOf(asked, value);
  const isSame = text !== null && JSON.stringify(typedValue(asked, text)) === JSON.stringify(value);
  return isSame ? text : null;
}

function textOf({ kind, options }: Pick<AskedValue, 'kind' | 'options'>, value: unknown): string | null {
  const labelOf = (each: unknown): string | undefined =>
    options.find((option) => JSON.stringify(option.value) === JSON.stringify(each))?.label;
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'yes_no':
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : null;
    case 'whole_number':
    case 'number':
      return typeof value === 'number' ? String(value) : null;
    case 'choice':
      return labelOf(value) ?? null;
    case 'several': {
      const labels = Array.isArray(value) ? value.map(labelOf) : [];
      if (labels.length === 0) return Array.isArray(value) ? NONE_OF_THESE : null;
      return labels.every((label) => label !== undefined) ? labels.join('\n') : null;
    }
    case 'json':
      return value === undefined ? null : JSON.stringify(value, null, 2);
  }
}

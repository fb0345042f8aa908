/*
 * A question as a person meets it: which values its schema asks for, and what they typed
 * as a value. Terminal and page ask the same way. What fits is judged by the run alone.
 */

/** One value a question asks for. */
export interface AskedValue {
  name: string;
  label: string;
  kind: AskedKind;
  /** What may be picked; empty unless `kind` is `choice`. */
  options: AskedOption[];
  isRequired: boolean;
}
export type AskedKind = 'text' | 'whole_number' | 'number' | 'yes_no' | 'choice' | 'json';

/** One of a few values, of whatever type, with the words for it: never blank, and no two alike within a question. */
export interface AskedOption {
  label: string;
  value: unknown;
}

type Schema = Record<string, unknown>;

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
  return Object.entries(properties).map(([name, property]) => {
    const options = isSchema(property) ? optionsOf(property) : [];
    return {
      name,
      label: isSchema(property) && isWords(property['title']) ? property['title'] : asWords(name),
      kind: options.length > 0 ? 'choice' : kindOf(property),
      options,
      isRequired: required.includes(name),
    };
  });
}

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

/** As the schema calls them, or as they are; as JSON where two would look alike: 1 and "1" are two answers. */
function labelled(options: { value: unknown; title?: unknown }[]): AskedOption[] {
  const named = options.map(({ value, title }) => ({
    value,
    label: isWords(title) ? title : isWords(value) ? value : JSON.stringify(value),
  }));
  const isPlain = new Set(named.map(({ label }) => label.trim())).size === named.length;
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
 * named by its number, from 1. What does not read as its kind stays text, and nothing is
 * rounded: the run says what is wrong with it.
 */
export function typedValue({ kind, options }: AskedValue, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (kind) {
    case 'text':
      return typed;
    case 'choice':
      return pickedValue(options, text);
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
  return digits.length <= KEPT_DIGITS || (Number.isSafeInteger(number) && String(number) === text) ? number : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is sent as text, and the run says that a text does not fit.
    return text;
  }
}

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
  options: string[];
  isRequired: boolean;
}
export type AskedKind = 'text' | 'whole_number' | 'number' | 'yes_no' | 'choice' | 'json';

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KINDS = new Map<unknown, AskedKind>([
  ['string', 'text'],
  ['integer', 'whole_number'],
  ['number', 'number'],
  ['boolean', 'yes_no'],
]);

/** The values a question's schema asks for, in order. */
export function askedValues(schema: Schema): AskedValue[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => {
    const { title, type, enum: listed } = isSchema(property) ? property : {};
    const options = Array.isArray(listed) && listed.every((option) => typeof option === 'string') ? listed : [];
    return {
      name,
      label: typeof title === 'string' && title.trim() !== '' ? title : name,
      kind: options.length > 0 ? 'choice' : (KINDS.get(type) ?? 'json'),
      options,
      isRequired: required.includes(name),
    };
  });
}

/** What a question asks, in one line: its title, or the name of its tool. */
export const questionTitle = ({ schema, toolName }: { schema: Schema; toolName: string }): string =>
  typeof schema['title'] === 'string' && schema['title'].trim() !== '' ? schema['title'] : toolName;

const YES_NO = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
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
      return options.find((option) => option.trim() === text) ?? options[Number(text) - 1] ?? text;
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

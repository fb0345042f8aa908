import type { JsonValue } from '../domain/json-value.ts';

/** One value a question asks for, as a terminal shows it. */
export interface AskedValue {
  name: string;
  label: string;
  kind: string;
  /** What may be picked; empty = anything of the kind. */
  options: string[];
  isRequired: boolean;
}

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values a question's schema asks for, in order. */
export function askedValues(schema: Schema): AskedValue[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => {
    const { title, type, enum: options } = isSchema(property) ? property : {};
    const picked = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
    return {
      name,
      label: typeof title === 'string' ? title : name,
      kind: picked.length > 0 ? 'one of these' : typeof type === 'string' ? (KINDS[type] ?? type) : 'JSON',
      options: picked,
      isRequired: required.includes(name),
    };
  });
}

const KINDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  object: 'JSON',
  array: 'JSON',
};

const WORDS: Record<string, boolean> = { yes: true, true: true, no: false, false: false };

/**
 * What was typed, as a value of the kind asked for; undefined = left out. What does not
 * read as that kind stays text, and the run says what is wrong with it.
 */
export function typedValue({ kind, options }: AskedValue, typed: string): JsonValue | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (options.length > 0)
    return /^\d+$/.test(text) && !options.includes(text) ? (options[Number(text) - 1] ?? text) : text;
  if (kind === KINDS['integer']) return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind === KINDS['number']) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === KINDS['boolean']) return WORDS[text.toLowerCase()] ?? text;
  return kind === 'JSON' ? parsed(text) : typed;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The run's own check says that a text does not fit.
    return text;
  }
}

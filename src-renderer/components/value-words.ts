import type { FieldChange } from '../../src-shared/preview.ts';

export type FieldValue = FieldChange['before'];
export type ValueType = 'text' | 'number' | 'boolean';

/** The type of a value that has one of its own to be mistaken for; null = NULL or not there. */
export function typeOf(value: FieldValue): ValueType | null {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : null;
}

/** A value as it is written; the tags for NULL and empty text are not part of it. */
export const writtenValue = (value: string | number | boolean): string => (Object.is(value, -0) ? '-0' : String(value));

const LOOKS_LIKE_SOMETHING_ELSE = /^\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|true|false|null)\s*$/i;

/**
 * Whether a value needs a word for its type beside it: a text that reads like a number,
 * like true or false or like NULL, and any value whose type is not that of the other side.
 */
export function needsType(value: FieldValue, other: FieldValue): boolean {
  const type = typeOf(value);
  if (type === null) return false;
  const otherType = typeOf(other);
  if (otherType !== null && otherType !== type) return true;
  return typeof value === 'string' && LOOKS_LIKE_SOMETHING_ELSE.test(value);
}

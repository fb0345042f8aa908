import type { JsonValue } from '../../domain/json-value.ts';
import { type Checked, fail, passed } from '../checked.ts';

/** Text whose bytes are not valid in the encoding of its database; shown with replacement characters, compared by its bytes. */
export class InvalidText {
  readonly text: string;
  readonly bytes: Buffer;
  constructor(text: string, bytes: Buffer) {
    this.text = text;
    this.bytes = bytes;
  }
}

/** A value as SQLite stores it: the JavaScript type is the storage class, nothing is rounded. */
export type StoredValue = null | bigint | number | string | Buffer | InvalidText;

/** A row by column name, in the order of the table. */
export type StoredRow = ReadonlyMap<string, StoredValue>;

/** A field value as a model or a screen has it. */
export type FieldValue = string | number | boolean | null;

/** How a column converts what it is given. Source: SQLite "Determination Of Column Affinity". */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/** The affinity of a declared type, by SQLite's rules in SQLite's order. `any` is a type only in strict tables. */
export function affinityOf(declaredType: string, isStrict: boolean): Affinity {
  const type = declaredType.toUpperCase();
  if (isStrict && type === 'ANY') return 'blob';
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type === '' || type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : 'numeric';
}

/** The storage class, in SQLite's word. */
export function storageClass(value: StoredValue): 'null' | 'integer' | 'real' | 'text' | 'blob' {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'real';
  return Buffer.isBuffer(value) ? 'blob' : 'text';
}

/** The exact value with its storage class, as plain JSON for a digest. Two stored values are equal if and only if these are. */
export function exactForm(value: StoredValue): JsonValue {
  if (value instanceof InvalidText) return ['text-bytes', value.bytes.toString('hex')];
  if (Buffer.isBuffer(value)) return ['blob', value.toString('hex')];
  if (typeof value === 'number') return ['real', Object.is(value, -0) ? '-0' : String(value)];
  return [storageClass(value), value === null ? null : String(value)];
}

/** Whether two stored values are the same, storage class included. */
export function isSameValue(left: StoredValue, right: StoredValue): boolean {
  return JSON.stringify(exactForm(left)) === JSON.stringify(exactForm(right));
}

/**
 * A stored value as plain JSON: blobs as `x'…'`, integers beyond 2^53 as decimal
 * text, reals JSON cannot carry exactly as text. For people and models; what is
 * compared is `exactForm`.
 */
export function toJson(value: StoredValue): string | number | null {
  if (value instanceof InvalidText) return value.text;
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return String(value);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : value;
  }
  return value;
}

const BLOB_TEXT = /^x'((?:[0-9a-f]{2})*)'$/i;
const BIG_INTEGER = /^-?[1-9][0-9]{15,18}$/;

/**
 * The value to bind for a field a model sent. A text of the form `x'…'` is a blob
 * where the column has blob affinity, else it is that text.
 * Refuses: numbers that were rounded on the way, halves of surrogate pairs.
 */
export function toStored(value: FieldValue, affinity: Affinity, field: string): Checked<StoredValue> {
  if (typeof value === 'boolean') return passed(value ? 1n : 0n);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return fail(`The value of ${field} is not a finite number.`);
    if (!Number.isInteger(value)) return passed(value);
    if (Number.isSafeInteger(value)) return passed(BigInt(value));
    return fail(`The value of ${field} is an integer beyond 2^53; send it as text, e.g. "9007199254740993".`);
  }
  if (value === null) return passed(null);
  if (!value.isWellFormed()) return fail(`The value of ${field} holds half of a surrogate pair.`);
  const blob = affinity === 'blob' ? BLOB_TEXT.exec(value) : null;
  return passed(blob ? Buffer.from(blob[1] ?? '', 'hex') : value);
}

/**
 * All stored values that are shown as this key value: a key that was read as
 * `x'00'` or `9007199254740993` must find its record again, whatever the column's type.
 */
export function keyCandidates(
  value: string | number | null,
  affinity: Affinity,
  field: string,
): Checked<StoredValue[]> {
  const first = toStored(value, affinity, field);
  if (!first.ok) return first;
  const candidates = [first.value];
  if (typeof value === 'string') {
    const blob = BLOB_TEXT.exec(value);
    if (blob) candidates.push(affinity === 'blob' ? value : Buffer.from(blob[1] ?? '', 'hex'));
    if (BIG_INTEGER.test(value))
      candidates.push(BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? BigInt(value) : value);
    if (/^-?\d(\.\d+)?e[+-]\d+$/.test(value)) candidates.push(Number(value));
  }
  const unique = new Map(candidates.map((each) => [JSON.stringify(exactForm(each)), each]));
  return passed([...unique.values()]);
}

/** What better-sqlite3 binds for a stored value. */
export function toBinding(value: StoredValue): null | bigint | number | string | Buffer {
  return value instanceof InvalidText ? value.bytes : value;
}

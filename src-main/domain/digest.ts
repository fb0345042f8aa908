import { hash, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { provePlainJson, proveScalar } from './plain-json.ts';

/** Domain tags keep equal bytes of different meaning from having equal digests. */
export type DigestTag =
  | 'turn/1:'
  | 'input/1:'
  | 'preview/1:'
  | 'tool/1:'
  | 'answers/1:'
  | 'key/1:'
  | 'event/1:'
  | 'change/1:'
  | 'head/1:'
  | 'footprint/1:';

/**
 * The canonical text of a plain JSON value: RFC 8785 (keys sorted by UTF-16 code
 * unit, shortest number form, no white space).
 * Faults: `NotPlainJsonError` when the value is not plain JSON.
 */
export function canonicalJson(value: unknown): string {
  provePlainJson(value);
  return canonicalize(value) as string;
}

/**
 * SHA-256 of `tag` followed by the canonical text, as 64 lower-case hex digits.
 * The one way this product fingerprints a value.
 * Faults: `NotPlainJsonError` as `canonicalJson`.
 * Source: architecture.md §3 "Canonical JSON".
 */
export function digest(tag: DigestTag, value: unknown): string {
  return hash('sha256', tag + canonicalJson(value), 'hex');
}

/**
 * The digest of a row of texts and numbers: the same as `digest`, proven while it is written. A chain hashes two
 * dozen rows in the life of a run, and walking each twice took a third of that time.
 * Faults: `NotPlainJsonError` as `canonicalJson`.
 */
export function digestRow(tag: DigestTag, row: Readonly<Record<string, string | number>>): string {
  const columns = Object.keys(row).toSorted();
  const fields = columns.map((column) => {
    const value = row[column];
    proveScalar(value, `$.${column}`);
    return `${JSON.stringify(column)}:${JSON.stringify(value)}`;
  });
  return hash('sha256', `${tag}{${fields.join(',')}}`, 'hex');
}

/** SHA-256 of a file that is given out, hex: by which the record names it, and what `sha256sum` says of it. */
export const fileFingerprint = (text: string): string => hash('sha256', text, 'hex');

/** Compares two digests in constant time; anything that is not a digest is unequal. */
export function sameDigest(left: string | null | undefined, right: string | null | undefined): boolean {
  if (!left || !right) return false;
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  // Lengths in bytes: a text of 64 characters from a client may hold more, and the comparison throws on unequal lengths.
  return one.length === other.length && timingSafeEqual(one, other);
}

import { createHash } from 'node:crypto';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A share of the cases that nobody chose: those whose names have the smallest hashes. */
export function drawCases(cases: string[], share: number): string[] {
  const drawn = cases.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  return drawn.slice(0, Math.ceil(cases.length * share));
}

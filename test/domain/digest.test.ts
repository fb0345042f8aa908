import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digest, digestRow, sameDigest } from '../../src-main/domain/digest.ts';
import { NotPlainJsonError } from '../../src-main/domain/plain-json.ts';

const VECTORS = join(import.meta.dirname, '../../../shared/vectors/jcs');
const hasVectors = existsSync(VECTORS);
const inputs = hasVectors ? readdirSync(VECTORS).filter((name) => name.endsWith('.input.json')) : [];
if (!hasVectors) console.log('Skipped: the RFC 8785 vectors are not beside this repository (../shared/vectors/jcs).');

describe.skipIf(!hasVectors)('the RFC 8785 vectors', () => {
  it('H-090 are all there', () => {
    expect(inputs.length).toBeGreaterThanOrEqual(6);
  });

  it.each(inputs)('H-090 canonicalise byte for byte: %s', (name) => {
    const value: unknown = JSON.parse(readFileSync(join(VECTORS, name), 'utf8'));
    const expected = readFileSync(join(VECTORS, name.replace('.input.', '.output.')));
    expect(Buffer.from(canonicalJson(value)).equals(expected)).toBe(true);
  });
});

/** Any JSON value without the numbers and texts that are refused on purpose. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !/[\ud800-\udfff]/.test(JSON.stringify(value)) && !hasUnsafeInteger(value));

function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger);
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, part]) => [key, reversedKeys(part)]));
}

describe('the digest', () => {
  it('H-090 is the same after a round trip through JSON and with keys in another order', () => {
    fc.assert(
      fc.property(json, (value) => {
        const expected = digest('turn/1:', value);
        expect(digest('turn/1:', JSON.parse(JSON.stringify(value)))).toBe(expected);
        expect(digest('turn/1:', reversedKeys(value))).toBe(expected);
      }),
      { numRuns: 200, seed: 8785 },
    );
  });

  it('H-090 of a flat row is the one of the same row as any value', () => {
    const texts = fc.string({ unit: 'binary' });
    const values = fc.oneof(texts, fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const rows = fc.dictionary(texts, values).filter((row) => !hasUnsafeInteger(row));
    fc.assert(
      fc.property(rows, (row) => {
        expect(digestRow('event/1:', row)).toBe(digest('event/1:', row));
      }),
      { numRuns: 500, seed: 8785 },
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '\ud800'])('H-090 of a flat row refuses %j', (value) => {
    expect(() => digestRow('event/1:', { value })).toThrow(NotPlainJsonError);
  });

  it('H-090 tells {} from [] and a number from its text', () => {
    const digests = [{}, [], '', null, 0, '0', [0], { 0: 0 }].map((value) => digest('turn/1:', value));
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('H-088 differs between tags', () => {
    expect(digest('turn/1:', [])).not.toBe(digest('input/1:', []));
  });

  it('H-084 is SHA-256 over the tag and the canonical text', () => {
    // printf 'turn/1:{"a":1,"b":[true,null]}' | sha256sum
    expect(digest('turn/1:', { b: [true, null], a: 1 })).toBe(
      '7942fa1c5b4a007d11b9268d03fbc779f46784001e37845768b3a75c9126789c',
    );
  });

  it('H-087 is never made of something JSON would lose', () => {
    expect(() => digest('turn/1:', { temperature: Number.POSITIVE_INFINITY })).toThrow(NotPlainJsonError);
    expect(() => digest('turn/1:', undefined)).toThrow(NotPlainJsonError);
  });
});

describe('the comparison of digests', () => {
  const one = digest('turn/1:', 1);
  const CASES: [name: string, left: string | null | undefined, right: string | null | undefined, same: boolean][] = [
    ['equal digests', one, digest('turn/1:', 1), true],
    ['different digests', one, digest('turn/1:', 2), false],
    ['null', one, null, false],
    ['undefined', undefined, one, false],
    ['an empty text', one, '', false],
    ['two empty texts', '', '', false],
    ['a shorter text', one, one.slice(1), false],
    ['upper case', one, one.toUpperCase(), false],
    ['text of equal length that is no digest', one, `é${one.slice(1)}`, false],
  ];
  it.each(CASES)('H-091 judges %s', (_name, left, right, same) => {
    expect(sameDigest(left, right)).toBe(same);
  });
});

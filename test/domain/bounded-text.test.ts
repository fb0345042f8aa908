import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CONTENT_BYTES, boundText } from '../../src-main/domain/bounded-text.ts';

describe('boundText', () => {
  it('R-151 cuts 60 005 bytes to exactly 50 000 that start with START and end with the marker', () => {
    const bounded = boundText(`START${'x'.repeat(60_000)}`);
    expect(Buffer.byteLength(bounded)).toBe(50_000);
    expect(bounded.startsWith('START')).toBe(true);
    expect(bounded.endsWith('\n[cut here; the whole result has 60005 bytes]')).toBe(true);
  });

  it('R-152 leaves exactly 50 000 bytes unchanged', () => {
    const text = 'y'.repeat(MAX_CONTENT_BYTES);
    expect(boundText(text)).toBe(text);
  });

  it('never cuts inside a character and never exceeds the bound', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300 }),
        fc.integer({ min: 60, max: 200 }),
        (text, max) => {
          const bounded = boundText(text, max);
          expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(max);
          expect(bounded.includes('\uFFFD')).toBe(text.includes('\uFFFD'));
          expect(text.startsWith(bounded.split('\n[cut here')[0] ?? '')).toBe(true);
        },
      ),
    );
  });

  it('replaces halves of surrogate pairs', () => {
    expect(boundText('a\uD800b')).toBe('a\uFFFDb');
  });
});

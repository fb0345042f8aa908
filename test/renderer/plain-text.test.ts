import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasInvisible, plainLine, textParts } from '../../src-shared/plain-text.ts';
import { ageWords, durationWords } from '../../src-renderer/components/time-words.ts';

const shown = (text: string): string =>
  textParts(text)
    .map((part) => part.text)
    .join('');

describe('text from outside', () => {
  it.each([
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['a private-use character', '\ue000', '\\u{e000}'],
    ['an unassigned character', '\u0378', '\\u{378}'],
    ['half of a character', '\ud800', '\\u{d800}'],
    ['a tag character beyond the first plane', '\u{e0041}', '\\u{e0041}'],
    ['a bell', '\u0007', '\\u{7}'],
    ['a carriage return', 'a\rb', 'a\\u{d}b'],
    ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
    ['an empty Braille pattern', 'a\u2800b', 'a\\u{2800}b'],
    ['an object replacement', 'a\ufffcb', 'a\\u{fffc}b'],
    ['a null notehead', 'a\u{1d159}b', 'a\\u{1d159}b'],
    ['a Hangul filler', 'a\u3164\uffa0\u115f\u1160b', 'a\\u{3164}\\u{ffa0}\\u{115f}\\u{1160}b'],
    ['a ninth accent', `a${'\u0301'.repeat(9)}b`, `a${'\u0301'.repeat(8)}\\u{301}b`],
  ])('shows %s as an escape', (_name, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(plainLine(text)).toBe(expected);
    expect(hasInvisible(text)).toBe(true);
  });

  it('keeps line breaks and tabs of several lines, and escapes them in one line', () => {
    expect(shown('a\n\tb')).toBe('a\n\tb');
    expect(plainLine('a\nb')).toBe('a\\u{a}b');
    expect(hasInvisible({ a: ['x\ny'] })).toBe(false);
  });

  it('finds invisible characters in keys and deep inside', () => {
    expect(hasInvisible({ 'k\u200b': 1 })).toBe(true);
    expect(hasInvisible({ a: [{ b: '\u202e' }] })).toBe(true);
  });

  it('leaves what people write alone', () => {
    const text = 'Grüße, 日本語, עברית, בְּרֵאשִׁ֖ית, हिन्दी, ภาษาไทยที่นี่, Việt, ⠃⠗⠇, <b>&amp;</b> ![x](http://127.0.0.1/) 🙂';
    for (const form of [text, text.normalize('NFD')])
      expect(textParts(form)).toEqual([{ text: form, isEscape: false }]);
  });

  it('escapes every hostile text of the shared list to something that holds no invisible character', ({ skip }) => {
    const path = join(import.meta.dirname, '../../../shared/vectors/strings/blns.base64.json');
    if (!existsSync(path)) {
      console.log(`skipped: ${path} is not there`);
      skip();
    }
    const texts = (JSON.parse(readFileSync(path, 'utf8')) as string[]).map((text) =>
      Buffer.from(text, 'base64').toString('utf8'),
    );
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.filter((text) => hasInvisible(plainLine(text)))).toEqual([]);
  });
});

describe('times for people', () => {
  it.each([
    [0, '0 sec'],
    [59_999, '59 sec'],
    [60_000, '1 min'],
    [3_600_000, '1 hr'],
    [86_400_000 * 3, '3 days'],
    [-5_000, '0 sec'],
  ])('says %d ms as %s', (ageMs, words) => {
    expect(ageWords('en', 1_000_000 - ageMs, 1_000_000)).toBe(words);
  });

  it('says durations of steps', () => {
    expect(durationWords('en', 320)).toBe('320 ms');
    expect(durationWords('en', 4_210)).toBe('4.2 sec');
    expect(durationWords('de', 4_210)).toBe('4,2 Sek.');
  });
});

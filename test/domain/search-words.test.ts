import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsWords, searchWords } from '../../src-main/domain/search-words.ts';

describe('the words of a search', () => {
  it.each([
    ['page', '"page"*'],
    ['Meta page', '"Meta" "page"*'],
    ['page 7', '"page" "7"'],
    ['update_rec', '"update" "rec"*'],
    ['"a" OR -b* NEAR(c)', '"a" "OR" "b" "NEAR" "c"'],
    ['pa\u200bge\u0000', '"page"*'],
    ['\ud800x', '"x"'],
  ])('of %j are %s', (text, match) => {
    expect(searchWords(text, true)?.match).toBe(match);
    expect(searchWords(text, false)?.match).toBe(`about : (${match})`);
  });

  it.each(['', ' ', '***', '"', '\u0301', '\udfff', '\u{1f600}'])('there are none in %j', (text) => {
    expect(searchWords(text, true)).toBeNull();
  });

  it('cut a long last word to where the index has a list, and no other', () => {
    expect(searchWords('longer description', true)?.near).toBe('"longer" "desc"*');
    for (const text of ['page', 'beschreibung öffnen', 'ab']) expect(searchWords(text, true)?.near, text).toBeNull();
  });

  it('are never anything but words between quotes, whatever was typed', () => {
    const quoted = /^(about : \()?("[^"]+" ?)+\*?\)?$/;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, seesPrompts) => {
        const words = searchWords(text, seesPrompts);
        return words === null || (quoted.test(words.match) && (words.near === null || quoted.test(words.near)));
      }),
    );
  });
});

describe('a text', () => {
  const fits = (text: string, typed: string) => fitsWords(text, searchWords(typed, true)?.words ?? '');

  it.each([
    ['Größe der Seite', 'große', true],
    ['Größe der Seite', 'SEITE gro', true],
    ['Größe der Seite', 'gro seite', false],
    ['Größe der Seite', 's', false],
    ['page 7', '7', true],
    ['page 77', 'page 7', false],
    ['site/pages#42', 'pages#42', true],
    ['', 'a', false],
  ])('%j has the words of %j: %s', (text, typed, isFit) => {
    expect(fits(text, typed)).toBe(isFit);
  });
});

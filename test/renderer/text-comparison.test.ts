import fc from 'fast-check';
import { structuredPatch, formatPatch, OMIT_HEADERS } from 'diff';
import { describe, expect, it } from 'vitest';
import { blankParts, markBlanks } from '../../src-renderer/components/blank-marks.ts';
import { countCharacters, excerptOf, isCut, SHOWN_CHARACTERS } from '../../src-renderer/components/cut-text.ts';
import {
  endsInCarriageReturns,
  inPortions,
  isLongDiff,
  withoutReturn,
} from '../../src-renderer/components/diff-lines.ts';
import { besideEachOther, pairLines } from '../../src-renderer/components/pair-lines.ts';
import { parseTextDiff } from '../../src-renderer/components/parse-text-diff.ts';
import { floodText, isFlood, shownParts, type ShownPart } from '../../src-renderer/components/shown-parts.ts';
import { needsType } from '../../src-renderer/components/value-words.ts';
import { markChange, sliceParts, wholePart, type MarkedPart } from '../../src-renderer/components/word-marks.ts';

const joined = (parts: MarkedPart[]): string => parts.map(({ text }) => text).join('');
const changed = (parts: MarkedPart[]): string[] => parts.filter(({ isChanged }) => isChanged).map(({ text }) => text);
const unified = (before: string, after: string): string =>
  formatPatch(structuredPatch('', '', before, after, '', '', { context: 3 }), OMIT_HEADERS);

/** Texts with what tears comparisons apart: accents, pairs, invisible characters, line ends. */
const someText = fc
  .array(
    fc.constantFrom(
      'a',
      'word',
      ' ',
      '\n',
      '\r\n',
      '\t',
      'e\u0301',
      '\u0302',
      '\u{1f600}',
      '\u200b',
      '\u202e',
      '漢字',
      '.',
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''));

describe('word marks', () => {
  it.each<[string, string, string, string[], string[]]>([
    ['one word', 'the old text', 'the new text', ['old'], ['new']],
    ['a number within a sentence', 'about 160 characters', 'about 155 characters', ['160'], ['155']],
    ['a blank at the end', 'Services', 'Services ', [], [' ']],
    ['an invisible character within a word', 'services', 'serv\u200bices', ['services'], ['serv\u200bices']],
    ['an accent as a whole letter', 'cafe', 'cafe\u0301', ['cafe'], ['cafe\u0301']],
    ['one character of a script without blanks', '漢字', '漢語', ['字'], ['語']],
    ['a letter with its own accent in such a script', 'か', 'か\u3099', ['か'], ['か\u3099']],
    ['an accent on a blank', 'a \u0301b', 'a \u0302b', [' \u0301'], [' \u0302']],
    [
      'an accent behind a long word',
      `${'x'.repeat(300)}e\u0301`,
      `${'x'.repeat(300)}e\u0302`,
      ['e\u0301'],
      ['e\u0302'],
    ],
    ['half of the same pair as a whole character', '\u{1f600}', '\u{1f601}', ['\u{1f600}'], ['\u{1f601}']],
    ['neighbouring words as one stretch', 'a one two b', 'a three four b', ['one two'], ['three four']],
    ['nothing when nothing changes', 'same', 'same', [], []],
    ['everything when a value comes from nothing', '', 'new', [], ['new']],
  ])('mark %s', (_name, before, after, removed, added) => {
    const marks = markChange(before, after);
    expect([changed(marks.before), changed(marks.after)]).toEqual([removed, added]);
  });

  it('leave every character of both sides in its place', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const marks = markChange(before, after);
        expect(joined(marks.before)).toBe(before);
        expect(joined(marks.after)).toBe(after);
        const kept = (parts: MarkedPart[]) => joined(parts.filter(({ isChanged }) => !isChanged));
        expect(kept(marks.before)).toBe(kept(marks.after));
        expect(marks.firstChange === -1).toBe(before === after);
      }),
    );
  });

  it('never begin at an accent or in the middle of a pair', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const { before: old, after: fresh } = markChange(`x${before}`, `x${after}`);
        for (const { text } of [...old, ...fresh]) expect(text).not.toMatch(/^[\p{M}\udc00-\udfff]/u);
      }),
    );
  });

  it('find a small change in 200,000 characters without a blank', () => {
    const marks = markChange('x'.repeat(200_000), `${'x'.repeat(100_000)}y${'x'.repeat(100_000)}`);
    expect(joined(marks.after)).toHaveLength(200_001);
    expect(changed(marks.after).join('').length).toBeLessThan(1_000);
    expect(changed(marks.after).join('')).toContain('y');
  });

  it('mark the whole stretch of texts that have too little in common to be compared', () => {
    const words = (name: string) => Array.from({ length: 9_000 }, (_, index) => `${name}${index}`).join(' ');
    const marks = markChange(`same ${words('a')}`, `same ${words('b')}`);
    expect(changed(marks.before)).toEqual([words('a')]);
    expect(marks.firstChange).toBe(5);
  });

  it('can be cut out of a stretch', () => {
    const parts = [
      { text: 'abc', isChanged: false },
      { text: 'def', isChanged: true },
    ];
    expect(sliceParts(parts, 2, 4)).toEqual([
      { text: 'c', isChanged: false },
      { text: 'd', isChanged: true },
    ]);
  });
});

describe('a long text', () => {
  it('is one with more than 2,000 characters, a pair counting once', () => {
    expect([isCut('x'.repeat(2_000)), isCut('x'.repeat(2_001)), isCut('\u{1f600}'.repeat(2_000))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(countCharacters('a\u{1f600}\ud800b')).toBe(4);
  });

  it('shows its beginning when nothing in it changed, or something there', () => {
    const text = 'x'.repeat(5_000);
    for (const firstChange of [-1, 0, 1_700]) {
      expect(excerptOf(text, firstChange)).toEqual({ ranges: [{ start: 0, end: 2_000 }], shown: 2_000, total: 5_000 });
    }
  });

  it('shows its beginning and the surroundings of a change that comes later', () => {
    const { ranges, shown } = excerptOf('x'.repeat(9_000), 8_000);
    expect(ranges).toEqual([
      { start: 0, end: 400 },
      { start: 7_800, end: 9_000 },
    ]);
    expect(shown).toBe(1_600);
  });

  it('is never cut within a character, and always shows its first change', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}';
    fc.assert(
      fc.property(fc.nat(6_000), fc.constantFrom('x', '\u{1f600}', 'e\u0301\u0302', family), (units, unit) => {
        const text = unit.repeat(Math.ceil(6_001 / unit.length));
        const { ranges, shown } = excerptOf(text, units);
        for (const { start, end } of ranges) {
          expect(start % unit.length).toBe(0);
          expect(end % unit.length).toBe(0);
        }
        expect(shown).toBeLessThanOrEqual(Math.max(SHOWN_CHARACTERS, countCharacters(text) === shown ? shown : 0));
        expect(ranges.some(({ start, end }) => start <= units && units < Math.max(end, start + 1))).toBe(true);
      }),
    );
  });
});

describe('a text diff', () => {
  const hostile = [
    '--- a/x',
    '+++ b/x',
    '@@ -1,3 +1,3 @@',
    '\\ No newline at end of file',
    '-- removed',
    '++ added',
    '',
  ];

  it('is read back as the two texts it was made of, whatever these look like', () => {
    const line = fc.constantFrom(...hostile, 'plain', 'e\u0301', 'cr\r', '\u2028');
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const lines = (parseTextDiff(unified(before, after)) ?? []).flatMap((hunk) => hunk.lines);
        const rows = (side: 'before' | 'after') => lines.filter((entry) => entry[side] !== null);
        for (const [side, whole] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const all = (whole.endsWith('\n') ? whole.slice(0, -1) : whole).split('\n');
          for (const entry of rows(side)) expect(entry.text).toBe(all[(entry[side] ?? 0) - 1]);
        }
        // Lines that are left out are the same on both sides.
        const rest = (whole: string, side: 'before' | 'after') => {
          const shown = new Set(rows(side).map((entry) => entry[side]));
          return whole
            .split('\n')
            .filter((_, index) => !shown.has(index + 1))
            .filter((entry) => entry !== '');
        };
        expect(rest(before, 'before')).toEqual(rest(after, 'after'));
      }),
    );
  });

  it.each([
    ['an empty one', '', []],
    [
      'a created file',
      '@@ -0,0 +1,2 @@\n+a\n+b\n',
      [
        [null, 1],
        [null, 2],
      ],
    ],
    ['a deleted file', '@@ -1,1 +0,0 @@\n-a\n', [[1, null]]],
    [
      'a header without counts',
      '@@ -3 +3 @@\n-a\n+b\n',
      [
        [3, null],
        [null, 3],
      ],
    ],
  ])('numbers the lines of %s', (_name, diff, numbers) => {
    const lines = (parseTextDiff(diff) ?? []).flatMap((hunk) => hunk.lines);
    expect(lines.map(({ before, after }) => [before, after])).toEqual(numbers);
  });

  it('says which line nothing ends', () => {
    const [hunk] = parseTextDiff(unified('a\nb', 'a\nb\n')) ?? [];
    expect(hunk?.lines.map(({ sign, text, hasNoLineEnd }) => [sign, text, hasNoLineEnd])).toEqual([
      [' ', 'a', false],
      ['-', 'b', true],
      ['+', 'b', false],
    ]);
  });

  it.each(['no diff', '@@ -1,2 +1,1 @@\n-a\n', '@@ -1,1 +1,1 @@\n a\n b\n', '@@ -1,1 +1,1 @@\n*a\n'])(
    'is none when it is %j, and nothing of it is taken for one',
    (diff) => {
      expect(parseTextDiff(diff)).toBeNull();
    },
  );

  it('pairs the lines that are alike, in order', () => {
    const [hunk] =
      parseTextDiff(
        '@@ -1,2 +1,3 @@\n-Disallow: /tmp/\n-Delay: 10\n+Disallow: /temporary/\n+Disallow: /preview/\n+Delay: 2\n',
      ) ?? [];
    pairLines(hunk?.lines ?? []);
    expect(besideEachOther(hunk?.lines ?? []).map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ['Disallow: /tmp/', 'Disallow: /temporary/'],
      [undefined, 'Disallow: /preview/'],
      ['Delay: 10', 'Delay: 2'],
    ]);
  });

  it('shows every line side by side once and in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('one', 'two', 'three four', 'three five', ''), { maxLength: 9 }),
        fc.array(fc.constantFrom('one', 'two', 'three six', ''), { maxLength: 9 }),
        (old, fresh) => {
          fc.pre(old.join('\n') !== fresh.join('\n'));
          for (const { lines } of parseTextDiff(unified(old.join('\n'), fresh.join('\n'))) ?? []) {
            pairLines(lines);
            const pairs = besideEachOther(lines);
            expect(pairs.flatMap(({ before }) => before ?? [])).toEqual(lines.filter(({ sign }) => sign !== '+'));
            expect(pairs.flatMap(({ after }) => after ?? [])).toEqual(lines.filter(({ sign }) => sign !== '-'));
          }
        },
      ),
    );
  });

  it('is long with many lines or a very long one', () => {
    const of = (count: number, text: string) =>
      parseTextDiff([`@@ -0,0 +1,${count} @@`, ...Array.from({ length: count }, () => `+${text}`), ''].join('\n')) ??
      [];
    expect([isLongDiff(of(400, 'x')), isLongDiff(of(401, 'x')), isLongDiff(of(1, 'x'.repeat(2_001)))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('comes in portions that leave nothing out but what is beyond the limit', () => {
    const hunks = [
      { header: 'first', rows: [1, 2, 3] },
      { header: 'second', rows: [4, 5] },
    ];
    expect(inPortions(hunks, 2, Infinity)).toEqual([
      { header: 'first', rows: [1, 2] },
      { header: null, rows: [3] },
      { header: 'second', rows: [4, 5] },
    ]);
    expect(inPortions(hunks, 2, 4).flatMap(({ rows }) => rows)).toEqual([1, 2, 3, 4]);
  });

  it('hides carriage returns only where every line end has one, and there is a line end', () => {
    const of = (before: string, after: string) => endsInCarriageReturns(parseTextDiff(unified(before, after)) ?? []);
    expect(of('a\r\nb\r\n', 'a\r\nc\r\n')).toBe(true);
    expect(of('a\r\nb', 'a\r\nc')).toBe(true);
    expect(of('a\nb\n', 'a\r\nb\r\n')).toBe(false);
    expect(of('', 'hello')).toBe(false);
    expect(of('', 'hello\r')).toBe(false);
  });

  it('keeps a carriage return that no line feed follows', () => {
    const lines = (parseTextDiff(unified('a\r\nlast', 'a\r\nlast\r')) ?? []).flatMap((hunk) => hunk.lines);
    expect(lines.map((line) => line.sign + withoutReturn(line))).toEqual([' a', '-last', '+last\r']);
  });

  it('never shows different files alike', () => {
    const text = fc.array(fc.constantFrom('a', '\r', '\n', '\r\n'), { maxLength: 3 }).map((pieces) => pieces.join(''));
    const shown = (after: string) => {
      const hunks = parseTextDiff(unified('', after)) ?? [];
      const hidesReturns = endsInCarriageReturns(hunks);
      const lines = hunks.flatMap((hunk) => hunk.lines);
      const rows = lines.map((line) => [hidesReturns ? withoutReturn(line) : line.text, line.hasNoLineEnd]);
      return JSON.stringify([hidesReturns, rows]);
    };
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(shown(one) === shown(other)).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is displayed of a text', () => {
  const oneLine = (text: string) => shownParts(blankParts(text, true), true);
  const value = (text: string) => shownParts(markBlanks(wholePart(text, false)));
  const signs = (parts: ShownPart[]) => parts.map(({ text, kind }) => (kind === 'text' ? text : `<${text}>`)).join('');

  it.each([
    ['blanks at the end', 'admin   ', 'admin<···>'],
    ['one blank at the beginning', ' admin', '<·>admin'],
    ['blanks in a row', 'a  b c', 'a<··>b c'],
    ['nothing but blanks', '   ', '<···>'],
    ['a blank at the end of a line', 'a \nb', 'a<·>\nb'],
    ['a blank at the beginning of a line', 'a\n b', 'a\n<·>b'],
    ['line ends at the end', 'a\n\n', 'a<↵\n↵\n>'],
    ['a tab', 'a\tb', 'a<→>b'],
    ['a line end between lines as it is', 'a\n\nb', 'a\n\nb'],
    ['a blank under an accent as it is', 'a  \u0301', 'a<·> \u0301'],
    ['a sign of its own as it is', 'a· →↵', 'a· →↵'],
    ['blanks before a carriage return', 'a \r', 'a <\\u{d}>'],
  ])('shows %s of a value', (_name, text, expected) => {
    expect(signs(value(text))).toBe(expected);
  });

  it('shows blanks of a name, and escapes its tabs and line ends', () => {
    expect(signs(oneLine(' a  b\t\nc '))).toBe('<·>a<··>b<\\u{9}><\\u{a}>c<·>');
  });

  it('shows a change of nothing but blanks, and blanks that a change adds to others', () => {
    const { after } = markChange('a b ', 'a b  c');
    expect(signs(shownParts(markBlanks(after)))).toBe('a b<·><·>c');
    const only = [
      { text: 'a', isChanged: false },
      { text: ' ', isChanged: true },
      { text: 'b', isChanged: false },
    ];
    expect(markBlanks(only).map(({ text, isBlank }) => [text, isBlank])).toEqual([
      ['a', false],
      [' ', true],
      ['b', false],
    ]);
  });

  const raw = fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '  ',
        '\t',
        '\n',
        '\r',
        '·',
        '→',
        '↵',
        '\\',
        '\\u{202e}',
        '\u202e',
        '{',
        '\u0301',
        '\u2800',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''));
  const BLANKS: Record<string, string> = { '·': ' ', '→': '\t', '↵\n': '\n' };
  const unescape = (text: string) =>
    text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_whole, digits: string) => String.fromCodePoint(parseInt(digits, 16)));
  const readBack = (parts: ShownPart[]) =>
    parts
      .map(({ text, kind }) => {
        if (kind === 'escape') return unescape(text);
        return kind === 'text' ? text : text.replaceAll(/·|→|↵\n/g, (sign) => BLANKS[sign] ?? '');
      })
      .join('');

  it('can be read back to the text, so that different texts never look the same', () => {
    fc.assert(
      fc.property(raw, (text) => {
        expect([readBack(oneLine(text)), readBack(value(text))]).toEqual([text, text]);
      }),
    );
  });

  it('can be read back where a change is marked', () => {
    fc.assert(
      fc.property(raw, raw, (before, after) => {
        const marks = markChange(before, after);
        for (const [side, text] of [
          [marks.before, before],
          [marks.after, after],
        ] as const) {
          const marked = markBlanks(side);
          expect(readBack(shownParts(marked))).toBe(text);
          for (const isChanged of [true, false]) {
            const of = (parts: MarkedPart[]) => joined(parts.filter((part) => part.isChanged === isChanged));
            expect(of(marked)).toBe(of(side));
          }
        }
      }),
    );
  });

  it('never has a blank at an edge, in a row or of a tab that is not marked', () => {
    fc.assert(
      fc.property(raw, (text) => {
        const unmarked = (parts: ShownPart[]) => parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('');
        const carried = / (?=\p{M})/gu;
        expect(unmarked(value(text)).replaceAll(carried, 'x')).not.toMatch(/^\s|\s$|\t| {2}| \n|\n /);
        expect(unmarked(oneLine(text)).replaceAll(carried, 'x')).not.toMatch(/^ | $| {2}/);
      }),
    );
  });

  it('is a flood with thousands of marks, in which text cannot write an escape', () => {
    const flood = (text: string) => shownParts(markBlanks(wholePart(`${text}${'\u200ba'.repeat(2_001)}`, false)));
    expect([isFlood(flood('')), isFlood(value('\u202e'))]).toEqual([true, false]);
    expect(floodText(flood('\\u{202e}')).slice(0, 9)).toBe('\\\\u{202e}');
    expect(floodText(flood('\u202e')).slice(0, 8)).toBe('\\u{202e}');
    expect(floodText(value('a·  '))).toBe('a·\\u{20}\\u{20}');
  });

  it('can be read back in a flood', () => {
    fc.assert(
      fc.property(raw, (text) => {
        const shown = floodText(value(text)).replaceAll('\\u{a}\n', '\n');
        const read = shown.replaceAll(/\\\\|\\u\{[0-9a-f]+\}/g, (found) => (found === '\\\\' ? '\\' : unescape(found)));
        expect(read).toBe(text);
      }),
    );
  });

  it('takes no longer for 200,000 blanks and line ends than for other text', () => {
    const parts = markBlanks(wholePart(`a${' \n'.repeat(100_000)}b`, false));
    expect(parts.filter(({ isBlank }) => isBlank)).toHaveLength(100_000);
  });
});

describe('a value', () => {
  it.each([
    ['1', 2, true],
    ['1', '2', true],
    [1, '1', true],
    [1, 2, false],
    ['true', true, true],
    [true, false, false],
    ['NULL', null, true],
    [' 1e5 ', 'x', true],
    ['one', 'two', false],
    ['', null, false],
    [null, '', false],
    ['v1', undefined, false],
  ] as const)('%j beside %j has its type said: %s', (value, other, expected) => {
    expect(needsType(value, other)).toBe(expected);
  });
});

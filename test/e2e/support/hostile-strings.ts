import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './runtime.ts';

/** The big list of naughty strings; it stands beside the checkout and is not part of it. */
const LIST = join(ROOT, '..', 'shared', 'vectors', 'strings', 'blns.base64.json');

/** Own additions: what reorders, hides, breaks lines, fetches, or is simply too long. */
export const NASTY = [
  'invoice\u202egpj.exe',
  '\u2066isolated\u2069 and \u200bzero\u200c\u200dwidth\ufeff',
  'one\u2028two\u2029three',
  'tag \u{e0041}\u{e0042} and private \ue000 and unassigned \u{2fff0}',
  '<img src="https://hostile.invalid/pixel.png" onerror="window.hostile=1">',
  '<script>window.hostile = 1</script><svg onload="window.hostile=1">',
  '<style>*{display:none}</style><base href="https://hostile.invalid/">',
  '![pixel](https://hostile.invalid/pixel.png) [click](javascript:window.hostile=1)',
  '<a href="https://hostile.invalid/" target="_blank" autofocus onfocus="window.hostile=1">link</a>',
  '{{constructor.constructor("window.hostile=1")()}} ${window.hostile=1} {{t("x")}} $t(frame:inbox)',
  'combining a\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308 end',
];

/** One line that no layout may be stretched by. */
export const LONG_LINE = 'x'.repeat(200_000);

/** Every entry of the list, or null where the list is not there. */
export function naughtyStrings(): string[] | null {
  if (!existsSync(LIST)) return null;
  const encoded = JSON.parse(readFileSync(LIST, 'utf8')) as string[];
  return encoded.map((text) => Buffer.from(text, 'base64').toString('utf8'));
}

/** Lists of lines, each short enough for a label. */
export function inLabels(strings: string[], longest: number): string[] {
  const labels: string[] = [];
  let label = '';
  for (const text of strings.map((each) => each.slice(0, longest).toWellFormed())) {
    if (label !== '' && label.length + 1 + text.length > longest) {
      labels.push(label);
      label = '';
    }
    label = label === '' ? text : `${label} ${text}`;
  }
  return [...labels, label];
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/** What is left of a text when everything that must be escaped, every escape and every space is taken away. */
export const visibleOf = (text: string): string =>
  text
    .replaceAll(/\\u\{[0-9a-f]+\}/g, '')
    .replaceAll(HIDDEN, '')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{M}\u2800\ufffc\u{1d159}·→↵]/gu, '');

/** The characters in a text of the page that a person could not see. Line breaks and tabs are ordinary. */
export const hiddenIn = (text: string): string[] =>
  [...text.matchAll(HIDDEN)]
    .map((match) => match[0])
    .filter((character) => character !== '\n' && character !== '\t')
    .map((character) => `U+${character.codePointAt(0)?.toString(16)}`);

/*
 * The acceptance catalogues as data: which cases there are, in which sections, and which of them somebody asks about.
 * Pure; `scripts/cases.mjs` reads the files. A case is written `R-12`, `X-4`, `H-004` or `T-05` everywhere.
 */

/** @typedef {'runtime' | 'human' | 'peers'} CatalogueName */
/** @typedef {{ id: string, catalogue: CatalogueName, section: string }} Case */

/** Where each catalogue stands beside the checkout, and the letters its cases begin with. */
export const catalogues = /** @type {const} */ ({
  runtime: { path: 'spec/cases-runtime.md', letters: 'RX' },
  human: { path: 'spec/cases-human-decisions.md', letters: 'H' },
  peers: { path: 'research/peers.md', letters: 'T' },
});

/** How many digits a number has at least, as the catalogues write it. */
const digits = /** @type {Record<string, number>} */ ({ R: 1, X: 1, H: 3, T: 2 });

/**
 * Every case that a text names, each once, in the order of the text: `H-4` and `H-004` are one.
 *
 * @param {string} text
 */
export function casesIn(text) {
  const named = [...text.matchAll(/\b([RXHT])-(\d{1,3})\b/g)].map(([, letter, number]) => caseId(letter, number));
  return [...new Set(named)];
}

/** @param {string | undefined} letter @param {string | undefined} number */
const caseId = (letter = '', number = '') => `${letter}-${String(Number(number)).padStart(digits[letter] ?? 1, '0')}`;

/**
 * The order in which people look for a case: letter by letter, then by number.
 *
 * @param {string} a
 * @param {string} b
 */
export const byCase = (a, b) =>
  a[0] === b[0] ? Number(a.slice(2)) - Number(b.slice(2)) : 'RXHT'.indexOf(a[0] ?? '') - 'RXHT'.indexOf(b[0] ?? '');

/**
 * The cases of one catalogue with their sections: `A` to `V` and `X` (part 2) of runtime, `A` to `AC` of human,
 * `2.1` to `2.9` of peers. A line that only cites a case is none.
 *
 * @param {CatalogueName} catalogue
 * @param {string} text
 * @returns {Case[]}
 */
export function readCatalogue(catalogue, text) {
  let section = '';
  /** @type {Case[]} */
  const found = [];
  for (const line of text.split('\n')) {
    section = sectionOf(line) ?? section;
    const id = caseOf(catalogue, line);
    if (id !== undefined) found.push({ id, catalogue, section });
  }
  return found;
}

/** @param {string} line */
function sectionOf(line) {
  if (line.startsWith('# Part 2')) return 'X';
  return /^#{2,3} ([A-Z]{1,2}|\d\.\d)\.? /.exec(line)?.[1];
}

/** @param {CatalogueName} catalogue @param {string} line */
function caseOf(catalogue, line) {
  if (catalogue === 'runtime') {
    const [, x, number] = /^(X?)(\d+)\. /.exec(line) ?? [];
    return number === undefined ? undefined : caseId(x || 'R', number);
  }
  const [, letter, number] = /^(?:- \*\*|\| )([HT])-(\d+)(?:\*\*| \|)/.exec(line) ?? [];
  return letter === undefined ? undefined : caseId(letter, number);
}

/**
 * What somebody asked for: single cases (`R-40`), sections (`A`, `2.1`) or ranges of them (`A-I`, `2.1-2.2`), one catalogue, or
 * with nothing said everything. Sections are those of the catalogue that was named, else of runtime.
 *
 * @param {string[]} words
 * @param {CatalogueName | undefined} catalogue
 * @returns {{ wanted: (one: Case) => boolean } | { problem: string }}
 */
export function parseSelection(words, catalogue) {
  const ids = new Set(words.flatMap(casesIn));
  /** @type {{ from: number, to: number, of: CatalogueName }[]} */
  const ranges = [];
  for (const word of words) {
    if (/^[RXHT]-\d{1,3}$/.test(word)) continue;
    const [, from, to] = /^([A-Z]{1,2}|\d\.\d)(?:-([A-Z]{1,2}|\d\.\d))?$/.exec(word) ?? [];
    if (from === undefined) return { problem: `"${word}" is neither a case (R-40) nor a section (A, A-I, 2.1)` };
    ranges.push({ from: rank(from), to: rank(to ?? from), of: catalogue ?? (/\d/.test(from) ? 'peers' : 'runtime') });
  }
  const ofCatalogue = (/** @type {Case} */ one) => catalogue === undefined || one.catalogue === catalogue;
  if (words.length === 0) return { wanted: ofCatalogue };
  return {
    wanted: (one) =>
      ids.has(one.id) ||
      ranges.some(({ from, to, of }) => of === one.catalogue && rank(one.section) >= from && rank(one.section) <= to),
  };
}

/**
 * Makes sections comparable: `AA` comes after `Z`.
 *
 * @param {string} section
 */
function rank(section) {
  if (/\d/.test(section)) return Number(section.split('.')[1]);
  return section.length * 26 + section.charCodeAt(section.length - 1);
}

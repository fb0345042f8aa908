import { withoutInvisible } from '../../src-shared/plain-text.ts';

/** What the tokenizer of the index takes for a word: letters and digits with their marks. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The beginning of a word is looked for from this length on, in UTF-16 units; a shorter one would be the beginning of everything. */
const MIN_PREFIX_LENGTH = 2;
/** The longest beginnings the index has lists of; those of longer ones it has to merge. */
const MAX_LISTED_PREFIX_LENGTH = 4;

/** What a person looks for, as the index is asked and as one text is asked. */
export interface SearchWords {
  /** An expression of FTS5: each word between quotes, so that AND or NEAR are words like all others. */
  match: string;
  /** The same, but the last word cut to where the index has a list; null = it is no longer than that. */
  near: string | null;
  /** The words in the form `fitsWords` compares, with a blank between them. */
  words: string;
}

/**
 * The words of what a person typed; null without any. What the eye cannot see is not looked for: a zero-width blank between
 * two letters would find nothing. Everything that is no word, every sign of the query language among it, only separates.
 */
export function searchWords(text: string, seesPrompts: boolean): SearchWords | null {
  const words = withoutInvisible(text).match(WORD) ?? [];
  const last = words.at(-1);
  if (last === undefined) return null;
  const expression = (end: string): string => {
    const quoted = [...words.slice(0, -1), end].map((word) => `"${word}"`).join(' ');
    const begun = last.length >= MIN_PREFIX_LENGTH ? `${quoted}*` : quoted;
    return seesPrompts ? begun : `about : (${begun})`;
  };
  // Cut only where no letter is separated from its marks and no pair is halved.
  const isPlain = /^[a-z0-9]+$/i.test(last) && last.length > MAX_LISTED_PREFIX_LENGTH;
  return {
    match: expression(last),
    near: isPlain ? expression(last.slice(0, MAX_LISTED_PREFIX_LENGTH)) : null,
    words: words.map(folded).join(' '),
  };
}

/** Case and accents aside. */
const folded = (text: string): string => text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Whether a text has every word, the last one at least as the beginning of a word: what `match` asks, of a text at hand. */
export function fitsWords(text: string, words: string): boolean {
  const found: string[] = folded(text).match(WORD) ?? [];
  const wanted = words.split(' ');
  const last = wanted.at(-1) ?? '';
  return (
    wanted.slice(0, -1).every((word) => found.includes(word)) &&
    found.some((word) => (last.length >= MIN_PREFIX_LENGTH ? word.startsWith(last) : word === last))
  );
}

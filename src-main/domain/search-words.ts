import { withoutInvisible } from '../../src-shared/plain-text.ts';

/** What the tokenizer of the index takes for a word: letters and digits with their marks. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The beginning of a word is looked for from this length on, in UTF-16 units; a shorter one would be the beginning of everything. */
const MIN_PREFIX_LENGTH = 2;

/**
 * The words of what a person typed. What the eye cannot see is not looked for: a zero-width blank between two letters
 * would find nothing. Everything that is no word, every sign of the query language among it, only separates.
 */
export const searchWords = (text: string): string[] => withoutInvisible(text).match(WORD) ?? [];

/**
 * The words as an expression of FTS5: each between quotes, so that AND or NEAR are words like all others. Null without words.
 */
export function matchExpression(text: string, seesPrompts: boolean): string | null {
  const words = searchWords(text);
  if (words.length === 0) return null;
  const last = words.at(-1) ?? '';
  const quoted = words.map((word) => `"${word}"`).join(' ');
  const expression = last.length >= MIN_PREFIX_LENGTH ? `${quoted}*` : quoted;
  return seesPrompts ? expression : `about : (${expression})`;
}

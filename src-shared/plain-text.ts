/*
 * Text that a model, a tool or a record supplied. What a font shows as nothing, or as
 * something else than it is, is made visible; a person decides about what is written,
 * not about how it looks.
 */

/**
 * Control, format (bidi among them), surrogate, private-use and unassigned characters,
 * everything a font may show as nothing, every blank but the ordinary one, what is drawn
 * as nothing by design (the empty Braille pattern, the object replacement, the null
 * notehead), and each accent after the eighth on one letter: they pile up over the lines
 * around, and nobody can count them.
 * Source: ux.md principle 3.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\ufffc\u{1d159}]|\p{M}(?<=\p{M}{9})/gu;
/** The same, to ask whether there is any. */
const ANY_INVISIBLE = new RegExp(INVISIBLE.source, 'u');

/** A stretch of text: as it is, or one invisible character as `\u{…}`. */
export interface TextPart {
  text: string;
  isEscape: boolean;
}

/** Line breaks and tabs are ordinary where text of several lines is shown. */
const isOrdinary = (character: string): boolean => character === '\n' || character === '\t';

const escapeOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Text cut into what can be shown as it is and what has to be escaped; on one line, line breaks and tabs have to be, too. */
export function textParts(text: string, isOneLine = false): TextPart[] {
  const parts: TextPart[] = [];
  let start = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    if (!isOneLine && isOrdinary(match[0])) continue;
    if (match.index > start) parts.push({ text: text.slice(start, match.index), isEscape: false });
    parts.push({ text: escapeOf(match[0]), isEscape: true });
    start = match.index + match[0].length;
  }
  if (start < text.length) parts.push({ text: text.slice(start), isEscape: false });
  return parts;
}

/** One line with every invisible character escaped, line breaks and tabs included: for names, lists and titles. */
export const plainLine = (text: string): string => text.replace(INVISIBLE, escapeOf);

/** The text as far as it can be seen: blanks of any kind stay blanks, everything else invisible is left out. */
export const withoutInvisible = (text: string): string =>
  text.replace(INVISIBLE, (character) => (/\s/.test(character) ? ' ' : ''));

/**
 * Whether anything inside a plain value would be escaped: worth a warning beside it.
 * The line ends of Windows are not: every file from there has them.
 */
export function hasInvisible(value: unknown): boolean {
  if (typeof value === 'string') return ANY_INVISIBLE.test(value.replaceAll(/\r\n|[\n\t]/g, ' '));
  if (Array.isArray(value)) return value.some(hasInvisible);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasInvisible(key) || hasInvisible(inner));
}

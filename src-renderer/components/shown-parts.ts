import { textParts } from '../../src-shared/plain-text.ts';
import type { BlankPart } from './blank-marks.ts';

/** A stretch of text as it is displayed: plain, or marked as an escape or as signs for blanks. */
export interface ShownPart {
  text: string;
  kind: 'text' | 'escape' | 'blank';
}

/** More escapes than this are marked together: an element for each of thousands would hold up the page. */
const MOST_ESCAPES = 2_000;
/** The same for marks of every kind; a long text that is indented has many, and they are cheap. */
const MOST_MARKS = 10_000;

const SIGNS: Record<string, string> = { ' ': '·', '\t': '→', '\n': '↵\n' };
const SIGN_ESCAPES: Record<string, string> = { '·': '\\u{20}', '→': '\\u{9}', '↵': '\\u{a}' };

/**
 * What is displayed of a text. Different texts never have the same parts: what stands
 * in an escape or in a sign is marked, and text cannot mark itself.
 */
export const shownParts = (parts: BlankPart[], isOneLine = false): ShownPart[] =>
  parts.flatMap(({ text, isBlank }): ShownPart[] =>
    isBlank
      ? [{ text: text.replaceAll(/[ \t\n]/g, (blank) => SIGNS[blank] ?? blank), kind: 'blank' }]
      : textParts(text, isOneLine).map((part) => ({ text: part.text, kind: part.isEscape ? 'escape' : 'text' })),
  );

/** Whether there are too many marks to show each of them. */
export function isFlood(parts: ShownPart[]): boolean {
  const marks = parts.filter(({ kind }) => kind !== 'text').length;
  return (
    marks > MOST_MARKS || (marks > MOST_ESCAPES && parts.filter(({ kind }) => kind === 'escape').length > MOST_ESCAPES)
  );
}

/**
 * A flood of marks as one text: blanks that need a sign are escapes, too, and a
 * backslash of the text itself is doubled, so that it cannot write an escape.
 */
export const floodText = (parts: ShownPart[]): string =>
  parts
    .map(({ text, kind }) => {
      if (kind === 'text') return text.replaceAll('\\', '\\\\');
      return kind === 'blank' ? text.replaceAll(/[·→↵]/g, (sign) => SIGN_ESCAPES[sign] ?? sign) : text;
    })
    .join('');

import { isCut } from './cut-text.ts';
import type { DiffLine, Hunk } from './parse-text-diff.ts';
import { LEAST_KEPT_SHARE } from './pair-lines.ts';
import { markChange, type MarkedChange } from './word-marks.ts';

/** Most lines of a diff that are shown at once. */
export const SHOWN_LINES = 400;

/** How many lines a diff has. */
export const countLines = (hunks: Hunk[]): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

/** Whether a diff is shortened until a person asks for all of it: many lines, or a very long one. */
export const isLongDiff = (hunks: Hunk[]): boolean =>
  countLines(hunks) > SHOWN_LINES || hunks.some(({ lines }) => lines.some(({ text }) => isCut(text)));

/** Rows of a diff that belong together, under the header that says where; null = it goes on from the portion before. */
export interface Portion<Row> {
  header: string | null;
  rows: Row[];
}

/**
 * The rows of a diff in portions, so that a long one can be rendered bit by bit.
 *
 * @param limit  rows in all; the rest is left out
 */
export function inPortions<Row>(hunks: { header: string; rows: Row[] }[], size: number, limit: number): Portion<Row>[] {
  const portions: Portion<Row>[] = [];
  let room = limit;
  for (const { header, rows } of hunks) {
    for (let start = 0; start < rows.length && room > 0; start += size) {
      const portion = rows.slice(start, start + Math.min(size, room));
      portions.push({ header: start === 0 ? header : null, rows: portion });
      room -= portion.length;
    }
  }
  return portions;
}

/**
 * Whether every line end there is in a diff is one of Windows, where showing each
 * carriage return would only hide the change. A line that nothing ends says nothing
 * about line ends: without any other line the answer is no.
 */
export function endsInCarriageReturns(hunks: Hunk[]): boolean {
  const ended = hunks.flatMap(({ lines }) => lines).filter(({ hasNoLineEnd }) => !hasNoLineEnd);
  return ended.length > 0 && ended.every(({ text }) => text.endsWith('\r'));
}

/** The text of a line without the carriage return of its line end; one that no line feed follows is text. */
export const withoutReturn = ({ text, hasNoLineEnd }: DiffLine): string =>
  !hasNoLineEnd && text.endsWith('\r') ? text.slice(0, -1) : text;

const marksOf = new WeakMap<DiffLine, MarkedChange | null>();

/** The word marks of a line and its partner; null = it has none, or one that it has little in common with. */
export function lineMarks(line: DiffLine): MarkedChange | null {
  const removed = line.sign === '-' ? line : line.partner;
  const added = removed?.partner;
  if (!removed || !added) return null;
  let marks = marksOf.get(removed);
  if (marks === undefined) {
    const change = markChange(removed.text, added.text);
    marks = change.keptShare < LEAST_KEPT_SHARE ? null : change;
    marksOf.set(removed, marks);
  }
  return marks;
}

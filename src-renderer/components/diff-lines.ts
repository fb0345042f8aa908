import { isCut } from './cut-text.ts';
import type { DiffLine, Hunk } from './parse-text-diff.ts';
import { markChange, type MarkedChange } from './word-marks.ts';

/** Most lines of a diff that are shown at once. */
export const SHOWN_LINES = 400;

/** How many lines a diff has. */
export const countLines = (hunks: Hunk[]): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

/** Whether a diff is shortened until a person asks for all of it: many lines, or a very long one. */
export const isLongDiff = (hunks: Hunk[]): boolean =>
  countLines(hunks) > SHOWN_LINES || hunks.some(({ lines }) => lines.some(({ text }) => isCut(text)));

/** The first lines of a diff. */
export function firstLines(hunks: Hunk[], limit: number): Hunk[] {
  const shown: Hunk[] = [];
  let room = limit;
  for (const hunk of hunks) {
    if (room <= 0) break;
    shown.push(hunk.lines.length <= room ? hunk : { ...hunk, lines: hunk.lines.slice(0, room) });
    room -= hunk.lines.length;
  }
  return shown;
}

/** The lines in portions of at most `size`, a header staying with its first lines. */
export function inPortions(hunks: Hunk[], size: number): { header: string | null; lines: DiffLine[] }[] {
  return hunks.flatMap(({ header, lines }) =>
    Array.from({ length: Math.max(1, Math.ceil(lines.length / size)) }, (_, index) => ({
      header: index === 0 ? header : null,
      lines: lines.slice(index * size, (index + 1) * size),
    })),
  );
}

/** One row of the two-sided form; a side without a line is null. */
export interface LinePair {
  before: DiffLine | null;
  after: DiffLine | null;
}

/** The lines side by side: unchanged ones on both, partners beside each other. */
export function besideEachOther(lines: DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  const placed = new Map<DiffLine, LinePair>();
  for (const line of lines) {
    const place = line.partner && placed.get(line.partner);
    if (place) place.after = line;
    else {
      const pair = { before: line.sign === '+' ? null : line, after: line.sign === '-' ? null : line };
      placed.set(line, pair);
      pairs.push(pair);
    }
  }
  return pairs;
}

/** Whether every line ends in a carriage return: a file of Windows, where showing each one would only hide the change. */
export const endsInCarriageReturns = (hunks: Hunk[]): boolean =>
  hunks.length > 0 && hunks.every(({ lines }) => lines.every((line) => line.hasNoLineEnd || line.text.endsWith('\r')));

/** Less in common than this, and two lines are different lines rather than a changed one. */
const LEAST_KEPT_SHARE = 0.3;
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

import type { MarkedPart } from './word-marks.ts';

/** A stretch of text that is shown as it is, or of blanks that need a sign to be seen. */
export interface BlankPart {
  text: string;
  isBlank: boolean;
}

interface Range {
  start: number;
  end: number;
}

const RUNS = /[ \t\n]+/g;
const ONE_LINE_RUNS = / +/g;
const COMBINING = /^\p{M}/u;

/** Cuts one text into what shows itself and the blanks that do not; see `markBlanks`. */
export const blankParts = (text: string, isOneLine = false): BlankPart[] =>
  cutAt({ text }, hiddenBlanks(text, isOneLine), 0);

/**
 * Cuts the parts of one text at its blanks that nobody would see or count: those at the
 * beginning or end of the text or of a line, two and more in a row, tabs, and everything
 * in a change that is nothing but blanks. Line ends are among them at the edges of the
 * text only; elsewhere they show themselves.
 */
export function markBlanks(parts: MarkedPart[]): (MarkedPart & BlankPart)[] {
  const hidden = hiddenBlanks(parts.map(({ text }) => text).join(''), false);
  const marked: (MarkedPart & BlankPart)[] = [];
  let offset = 0;
  let next = 0;
  for (const part of parts) {
    const end = offset + part.text.length;
    while ((hidden[next]?.end ?? Infinity) <= offset) next += 1;
    let last = next;
    while ((hidden[last]?.start ?? Infinity) < end) last += 1;
    const isAllBlank = part.isChanged && part.text.trim() === '';
    const cut = isAllBlank
      ? cutAt(part, hiddenBlanks(part.text, false), 0)
      : cutAt(part, hidden.slice(next, last), offset);
    // One by one: a long text has more parts than one call takes arguments.
    for (const piece of cut) marked.push(piece);
    offset = end;
  }
  return marked;
}

/** One part cut at ranges that are counted from an offset before it. */
function cutAt<Part extends { text: string }>(part: Part, ranges: Range[], offset: number): (Part & BlankPart)[] {
  const cut: (Part & BlankPart)[] = [];
  let at = 0;
  const add = (end: number, isBlank: boolean): void => {
    if (end > at) cut.push({ ...part, text: part.text.slice(at, end), isBlank });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges) {
    add(start - offset, false);
    add(Math.min(end - offset, part.text.length), true);
  }
  add(part.text.length, false);
  return cut;
}

/** Where the blanks are that need a sign, in order. */
function hiddenBlanks(text: string, isOneLine: boolean): Range[] {
  const ranges: Range[] = [];
  for (const match of text.matchAll(isOneLine ? ONE_LINE_RUNS : RUNS)) {
    const start = match.index;
    // A blank that carries an accent is seen by it, and is not torn from it.
    const isCarrier =
      match[0].endsWith(' ') && COMBINING.test(text.slice(start + match[0].length, start + match[0].length + 2));
    const end = start + match[0].length - (isCarrier ? 1 : 0);
    if (end <= start) continue;
    if (start === 0 || end === text.length) ranges.push({ start, end });
    else for (const range of withinLines(text, start, end, isCarrier)) ranges.push(range);
  }
  return ranges;
}

/** The blanks of a run in the middle of a text that need a sign; its line ends do not. */
function withinLines(text: string, start: number, end: number, isCarrier: boolean): Range[] {
  const ranges: Range[] = [];
  for (const { index, 0: blanks } of text.slice(start, end).matchAll(/[ \t]+/g)) {
    const range = { start: start + index, end: start + index + blanks.length };
    const isAtEdge = text[range.start - 1] === '\n' || text[range.end] === '\n';
    const isRun = blanks.length > 1 || (isCarrier && range.end === end);
    if (isRun || isAtEdge || blanks === '\t') ranges.push(range);
  }
  return ranges;
}

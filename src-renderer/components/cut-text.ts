/*
 * Which part of a long text is shown before a person asks for all of it. Lengths are
 * counted in code points; a cut never goes through a surrogate pair, and where it can be
 * helped not through what reads as one character.
 */

/** Longest text that is shown at once, and how much a shortened one shows. */
export const SHOWN_CHARACTERS = 2_000;
/** How much of the beginning is shown when the first change comes later. */
const HEAD_CHARACTERS = 400;
/** How much is shown before the first change then. */
const LEAD_CHARACTERS = 200;
/** How far around a cut a boundary between characters is looked for, in code units. */
const BOUNDARY_UNITS = 64;

/** A stretch of a text, as offsets of the string. */
export interface TextRange {
  start: number;
  end: number;
}

/** The stretches that are shown, and how many characters these are of how many. */
export interface Excerpt {
  ranges: TextRange[];
  shown: number;
  total: number;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const isInsidePair = (text: string, offset: number): boolean =>
  isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1));

/** How many characters (code points) a text has. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let offset = 1; offset < text.length; offset += 1) if (isInsidePair(text, offset)) count -= 1;
  return count;
}

/** Whether a text is too long to be shown at once. */
export const isCut = (text: string): boolean =>
  text.length > SHOWN_CHARACTERS && countCharacters(text) > SHOWN_CHARACTERS;

/**
 * What to show of a text: all of a short one; the beginning of a long one; beginning and
 * surroundings of the first change where that comes later, so a change is never hidden
 * behind a cut.
 *
 * @param firstChange  offset of the first change; -1 = none
 */
export function excerptOf(text: string, firstChange = -1): Excerpt {
  const total = countCharacters(text);
  if (total <= SHOWN_CHARACTERS) return { ranges: [{ start: 0, end: text.length }], shown: total, total };
  const ranges = isNearStart(text, firstChange)
    ? [{ start: 0, end: forward(text, 0, SHOWN_CHARACTERS) }]
    : aroundChange(text, firstChange);
  const shown = ranges.reduce((sum, { start, end }) => sum + countCharacters(text.slice(start, end)), 0);
  return { ranges, shown, total };
}

const isNearStart = (text: string, firstChange: number): boolean =>
  firstChange < 0 || firstChange <= forward(text, 0, SHOWN_CHARACTERS - LEAD_CHARACTERS);

function aroundChange(text: string, firstChange: number): TextRange[] {
  const head = { start: 0, end: forward(text, 0, HEAD_CHARACTERS) };
  const start = backward(text, firstChange, LEAD_CHARACTERS);
  return [head, { start, end: forward(text, start, SHOWN_CHARACTERS - HEAD_CHARACTERS) }];
}

/** The offset a number of characters later, at a boundary between characters. */
function forward(text: string, start: number, characters: number): number {
  let offset = start;
  for (let passed = 0; passed < characters && offset < text.length; passed += 1) {
    offset += isHighSurrogate(text.charCodeAt(offset)) && isLowSurrogate(text.charCodeAt(offset + 1)) ? 2 : 1;
  }
  return boundaryAt(text, offset);
}

function backward(text: string, start: number, characters: number): number {
  let offset = start;
  for (let passed = 0; passed < characters && offset > 0; passed += 1) {
    offset -= isInsidePair(text, offset - 1) ? 2 : 1;
  }
  return boundaryAt(text, offset);
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The nearest boundary at or before an offset. A character longer than the search is cut between its code points. */
function boundaryAt(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length) return Math.max(0, Math.min(offset, text.length));
  const start = Math.max(0, offset - BOUNDARY_UNITS);
  const found = graphemes.segment(text.slice(start, offset + BOUNDARY_UNITS)).containing(offset - start);
  if (found && (found.index > 0 || start === 0)) return start + found.index;
  return isInsidePair(text, offset) ? offset - 1 : offset;
}

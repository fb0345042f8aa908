import { diffArrays } from 'diff';

/** A stretch of one side of a change. */
export interface MarkedPart {
  text: string;
  isChanged: boolean;
}

/** Both sides of a change, cut into what stays and what does not. */
export interface MarkedChange {
  before: MarkedPart[];
  after: MarkedPart[];
  /** Offset at which the sides begin to differ, the same in both; -1 = they are equal. */
  firstChange: number;
  /** Share of the longer side that stays, from 0 to 1. */
  keptShare: number;
}

/**
 * One word, one run of blanks, one line end or one other character, each with its
 * combining marks: a mark never stands between a letter and its accent. Scripts
 * without blanks go character by character. Invisible characters are tokens of their own.
 */
const TOKEN =
  /\r?\n\p{M}*|[^\S\r\n]+\p{M}*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]\p{M}*|(?:[\p{L}\p{N}_]\p{M}*)+|[^]\p{M}*/gu;

/** Most changed tokens that are looked for; beyond it the whole differing stretch is marked. */
const MAX_EDIT_LENGTH = 300;
/** Longest differing stretches (both sides together) that are compared word by word. */
const MAX_COMPARED_CHARACTERS = 40_000;
/** A second bound for texts in which even that takes long. Only the marks depend on it, never what is shown. */
const MAX_MS = 60;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** Compares two texts by words, on the raw text: a change of an invisible character is a change. */
export function markChange(before: string, after: string): MarkedChange {
  if (before === after) {
    const whole = before === '' ? [] : [{ text: before, isChanged: false }];
    return { before: whole, after: whole, firstChange: -1, keptShare: 1 };
  }
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const sides = new Sides();
  sides.keep(before.slice(0, head));
  markMiddle(sides, before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  sides.keep(before.slice(before.length - tail));
  return {
    before: sides.before,
    after: sides.after,
    firstChange: sides.firstChange,
    keptShare: sides.kept / Math.max(before.length, after.length),
  };
}

/** Marks a value as a whole: something else takes its place. */
export const wholePart = (text: string, isChanged: boolean): MarkedPart[] => (text === '' ? [] : [{ text, isChanged }]);

function markMiddle(sides: Sides, before: string, after: string): void {
  const isComparable = before !== '' && after !== '' && before.length + after.length <= MAX_COMPARED_CHARACTERS;
  const steps = isComparable
    ? diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MAX_EDIT_LENGTH, timeout: MAX_MS })
    : undefined;
  if (!steps) {
    sides.change(before, after);
    return;
  }
  steps.forEach((step, index) => {
    const text = step.value.join('');
    if (step.removed) sides.change(text, '');
    else if (step.added) sides.change('', text);
    // A blank between two replaced words would only tear the mark apart.
    else if (isReplaced(steps, index) && /^[^\S\r\n]+$/.test(text)) sides.change(text, text);
    else sides.keep(text);
  });
}

/** Whether something was replaced right before and right after this step. */
const isReplaced = (steps: { added: boolean; removed: boolean }[], index: number): boolean =>
  [index - 2, index + 1].every((at) => steps[at]?.removed) && [index - 1, index + 2].every((at) => steps[at]?.added);

/** How far back a whole word is looked for, where a common stretch ends inside one. */
const WORD_UNITS = 200;
const BLANK = /\s/;
const CONTINUES_CHARACTER = /[\p{M}\udc00-\udfff]/u;

/** Whether an offset is before a combining mark or the second half of a pair. */
const isInsideCharacter = (text: string, offset: number): boolean =>
  offset < text.length && CONTINUES_CHARACTER.test(text[offset] ?? '');

/** Length of the common beginning, up to the last blank in it if there is one near. */
function commonHead(before: string, after: string): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  const least = Math.max(0, same - WORD_UNITS);
  const isSplit = (offset: number): boolean => isInsideCharacter(before, offset) || isInsideCharacter(after, offset);
  for (let offset = same; offset > least; offset -= 1)
    if (BLANK.test(before[offset - 1] ?? '') && !isSplit(offset)) return offset;
  if (least === 0) return 0;
  while (same > 0 && isSplit(same)) same -= 1;
  return same;
}

/** Length of the common end behind that, from the first blank in it if there is one near. */
function commonTail(before: string, after: string, head: number): number {
  const most = Math.min(before.length, after.length) - head;
  let same = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  const least = Math.max(0, same - WORD_UNITS);
  for (let length = same; length > least; length -= 1)
    if (BLANK.test(before[before.length - length] ?? '')) return length;
  if (least === 0) return 0;
  while (same > 0 && isInsideCharacter(before, before.length - same)) same -= 1;
  return same;
}

/** Collects both sides; neighbours of one kind grow together. */
class Sides {
  readonly before: MarkedPart[] = [];
  readonly after: MarkedPart[] = [];
  firstChange = -1;
  kept = 0;

  keep(text: string): void {
    add(this.before, text, false);
    add(this.after, text, false);
    this.kept += text.length;
  }

  change(before: string, after: string): void {
    // Everything before the first change was kept, so it is equally long on both sides.
    if (this.firstChange < 0) this.firstChange = this.kept;
    add(this.before, before, true);
    add(this.after, after, true);
  }
}

function add(parts: MarkedPart[], text: string, isChanged: boolean): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.isChanged === isChanged) last.text += text;
  else parts.push({ text, isChanged });
}

/** The parts within a stretch of their joined text. */
export function sliceParts<Part extends MarkedPart>(parts: Part[], start: number, end: number): Part[] {
  const sliced: Part[] = [];
  let offset = 0;
  for (const part of parts) {
    const inside = part.text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    if (inside !== '') sliced.push({ ...part, text: inside });
    offset += part.text.length;
  }
  return sliced;
}

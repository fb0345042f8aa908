import type { DiffLine } from './parse-text-diff.ts';
import { markChange } from './word-marks.ts';

/** Less in common than this, and two lines are different lines rather than a changed one. */
export const LEAST_KEPT_SHARE = 0.3;

/** Largest block, in pairs to be compared, whose best pairing is searched. */
const MOST_COMPARED = 400;
/** Longer lines are not compared with every other one. */
const MOST_CHARACTERS = 400;

/** Removed lines and the added ones right after them; an unchanged line is a block of its own. */
interface Block {
  unchanged: DiffLine | null;
  removed: DiffLine[];
  added: DiffLine[];
}

function blocksOf(lines: DiffLine[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (line.sign === ' ') blocks.push({ unchanged: line, removed: [], added: [] });
    else if (line.sign === '+' && last && !last.unchanged) last.added.push(line);
    else if (line.sign === '-' && last && !last.unchanged && last.added.length === 0) last.removed.push(line);
    else
      blocks.push({
        unchanged: null,
        removed: line.sign === '-' ? [line] : [],
        added: line.sign === '+' ? [line] : [],
      });
  }
  return blocks;
}

/** Gives each removed line the added one that took its place: neighbours in one block of a diff, in order, the most alike ones. */
export function pairLines(lines: DiffLine[]): void {
  for (const { removed, added } of blocksOf(lines)) pairBlock(removed, added);
}

/** One row of the two-sided form; a side without a line is null. */
export interface LinePair {
  before: DiffLine | null;
  after: DiffLine | null;
}

/** The lines side by side, each side in its own order: unchanged ones on both, partners beside each other. */
export function besideEachOther(lines: DiffLine[]): LinePair[] {
  return blocksOf(lines).flatMap(({ unchanged, removed, added }) =>
    unchanged ? [{ before: unchanged, after: unchanged }] : blockRows(removed, added),
  );
}

function blockRows(removed: DiffLine[], added: DiffLine[]): LinePair[] {
  const rows: LinePair[] = [];
  let next = 0;
  const addAlone = (until: DiffLine | null): void => {
    for (let line = added[next]; line && line !== until; line = added[next]) {
      rows.push({ before: null, after: line });
      next += 1;
    }
  };
  for (const line of removed) {
    if (line.partner) {
      addAlone(line.partner);
      next += 1;
    }
    rows.push({ before: line, after: line.partner });
  }
  addAlone(null);
  return rows;
}

function pairBlock(removed: DiffLine[], added: DiffLine[]): void {
  const isSmall =
    removed.length !== added.length &&
    removed.length * added.length <= MOST_COMPARED &&
    [...removed, ...added].every(({ text }) => text.length <= MOST_CHARACTERS);
  if (isSmall) return pairAlike(removed, added);
  removed.forEach((line, index) => {
    const other = added[index];
    if (other) join(line, other);
  });
}

function join(removed: DiffLine, added: DiffLine): void {
  removed.partner = added;
  added.partner = removed;
}

/** The pairing in order with the greatest likeness in all; lines that are not alike stay alone. */
function pairAlike(removed: DiffLine[], added: DiffLine[]): void {
  const likeness = removed.map((old) =>
    added.map((fresh) => {
      const { keptShare } = markChange(old.text, fresh.text);
      // Counted in characters that stay: a share would favour the shorter of two equally good lines.
      return keptShare < LEAST_KEPT_SHARE ? 0 : Math.round(keptShare * Math.max(old.text.length, fresh.text.length));
    }),
  );
  // best[i][j]: the greatest likeness of the removed lines from i on and the added ones from j on.
  const best = Array.from({ length: removed.length + 1 }, () => Array.from({ length: added.length + 1 }, () => 0));
  const at = (table: number[][], row: number, column: number): number => table[row]?.[column] ?? 0;
  for (let row = removed.length - 1; row >= 0; row -= 1) {
    for (let column = added.length - 1; column >= 0; column -= 1) {
      const paired = at(likeness, row, column) > 0 ? at(likeness, row, column) + at(best, row + 1, column + 1) : 0;
      const scores = best[row];
      if (scores) scores[column] = Math.max(paired, at(best, row + 1, column), at(best, row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < removed.length && column < added.length) {
    const old = removed[row];
    const fresh = added[column];
    const alike = at(likeness, row, column);
    if (old && fresh && alike > 0 && at(best, row, column) === alike + at(best, row + 1, column + 1)) {
      join(old, fresh);
      row += 1;
      column += 1;
    } else if (at(best, row, column) === at(best, row + 1, column)) row += 1;
    else column += 1;
  }
}

/** One line of a text diff. */
export interface DiffLine {
  sign: ' ' | '+' | '-';
  text: string;
  /** Line numbers; null = the line is not on that side. */
  before: number | null;
  after: number | null;
  /** The last line of its side, and nothing ends it. */
  hasNoLineEnd: boolean;
  /** The line that takes its place, or whose place it takes. */
  partner: DiffLine | null;
}

/** Lines that stand together, with the header that says where. */
export interface Hunk {
  header: string;
  lines: DiffLine[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a unified diff without file names, as the host makes it. How many lines belong
 * to a hunk is counted as its header says, so content that looks like a header is
 * content. Null = it is not such a diff; it has to be shown as it is then.
 * Source: src-main/tools/builtin/file-text.ts.
 */
export function parseTextDiff(diff: string): Hunk[] | null {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hunks: Hunk[] = [];
  let next = 0;
  while (next < lines.length) {
    const read = readHunk(lines, next);
    if (!read) return null;
    hunks.push(read.hunk);
    next = read.next;
  }
  return hunks;
}

function readHunk(lines: string[], at: number): { hunk: Hunk; next: number } | null {
  const header = HEADER.exec(lines[at] ?? '');
  if (!header) return null;
  const hunk: Hunk = { header: header[0], lines: [] };
  let before = Number(header[1]);
  let after = Number(header[3]);
  const beforeEnd = before + Number(header[2] ?? 1);
  const afterEnd = after + Number(header[4] ?? 1);
  let next = at + 1;
  while (before < beforeEnd || after < afterEnd) {
    const line = lineOf(lines[next], before, after);
    if (!line) return null;
    if (line.before !== null) before += 1;
    if (line.after !== null) after += 1;
    next += 1;
    if (lines[next]?.startsWith('\\')) {
      line.hasNoLineEnd = true;
      next += 1;
    }
    hunk.lines.push(line);
  }
  if (before > beforeEnd || after > afterEnd) return null;
  return { hunk, next };
}

function lineOf(raw: string | undefined, before: number, after: number): DiffLine | null {
  const sign = raw?.[0];
  if (raw === undefined || (sign !== ' ' && sign !== '+' && sign !== '-')) return null;
  return {
    sign,
    text: raw.slice(1),
    before: sign === '+' ? null : before,
    after: sign === '-' ? null : after,
    hasNoLineEnd: false,
    partner: null,
  };
}

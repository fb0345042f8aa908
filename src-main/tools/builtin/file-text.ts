import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff';

/** What a person must know about a text besides its lines. */
export interface TextFacts {
  text: string;
  hasByteOrderMark: boolean;
  lineEnds: 'none' | 'lf' | 'crlf' | 'mixed';
  endsWithLineEnd: boolean;
}

/** Most changed lines that are compared line by line; beyond it both texts are shown whole. A count, not a time: previews must be deterministic. */
const MAX_EDIT_LENGTH = 1_500;

/** Longest texts (characters, both together) that are compared line by line. */
const MAX_COMPARED_LENGTH = 2 * 1024 * 1024;

/** Reads bytes as UTF-8 text, byte-order mark kept as its first character. Null = binary: not UTF-8, or with NUL. */
export function readText(bytes: Buffer): TextFacts | null {
  if (bytes.includes(0)) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  const cr = text.split('\r').length - 1 - crlf;
  const kinds = [crlf > 0, lf > 0, cr > 0].filter(Boolean).length;
  return {
    text,
    hasByteOrderMark: text.startsWith('\uFEFF'),
    lineEnds: kinds === 0 ? 'none' : kinds > 1 || cr > 0 ? 'mixed' : crlf > 0 ? 'crlf' : 'lf',
    endsWithLineEnd: text === '' || /[\r\n]$/.test(text),
  };
}

/** A comparison of two texts as unified diff without file names. Complete: nothing is left out but unchanged lines. */
export interface TextDiff {
  diff: string;
  /** The texts differ too much to be compared line by line; all old lines go, all new lines come. */
  isReplacedEntirely: boolean;
}

/** Compares two texts. Deterministic: bounded by counts and sizes, never by time. Source: T-113. */
export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return { diff: '', isReplacedEntirely: false };
  if (before.length + after.length <= MAX_COMPARED_LENGTH) {
    const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MAX_EDIT_LENGTH });
    if (patch) return { diff: formatPatch(patch, OMIT_HEADERS), isReplacedEntirely: false };
  }
  return { diff: replaceEntirely(before, after), isReplacedEntirely: before !== '' && after !== '' };
}

function replaceEntirely(before: string, after: string): string {
  const removed = splitLines(before);
  const added = splitLines(after);
  const range = (lines: string[]): string => (lines.length === 0 ? '0,0' : `1,${lines.length}`);
  const show = (lines: string[], text: string, sign: string): string[] => {
    const shown = lines.map((line) => sign + line);
    return lines.length > 0 && !text.endsWith('\n') ? [...shown, '\\ No newline at end of file'] : shown;
  };
  const body = [...show(removed, before, '-'), ...show(added, after, '+')];
  return [`@@ -${range(removed)} +${range(added)} @@`, ...body, ''].join('\n');
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

const LINE_END_NAMES = { none: 'none', lf: 'LF', crlf: 'CRLF (Windows)', mixed: 'mixed' } as const;

/** Sentences about what a line diff hides: line ends, byte-order mark, missing last line end. */
export function describeTextChange(before: TextFacts | null, after: TextFacts): string[] {
  const notes: string[] = [];
  if (before && before.lineEnds !== after.lineEnds && before.lineEnds !== 'none' && after.lineEnds !== 'none') {
    notes.push(`Line ends change from ${LINE_END_NAMES[before.lineEnds]} to ${LINE_END_NAMES[after.lineEnds]}.`);
  } else if (after.lineEnds === 'crlf' || after.lineEnds === 'mixed') {
    notes.push(`Line ends: ${LINE_END_NAMES[after.lineEnds]}.`);
  }
  if (before && before.hasByteOrderMark !== after.hasByteOrderMark) {
    notes.push(after.hasByteOrderMark ? 'A byte-order mark is added.' : 'The byte-order mark is removed.');
  } else if (after.hasByteOrderMark) {
    notes.push('The file starts with a byte-order mark.');
  }
  if (!after.endsWithLineEnd) notes.push('The new content does not end with a line end.');
  return notes;
}

import { plainLine } from '../../src-shared/plain-text.ts';

/*
 * Text for a terminal. Whatever a model, a tool or a record supplied is shown with
 * its invisible characters escaped: a terminal obeys control characters, and a
 * reordered line is not what would be written.
 */

/** A text value between quotes, so that blanks at its ends, an empty text, and the word NULL cannot be mistaken. */
export function quotedLine(text: string): string {
  return `"${plainLine(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'))}"`;
}

/** Text of several lines; only the line breaks stay. */
export function plainLines(text: string): string[] {
  return text.split('\n').map(plainLine);
}

export function localTime(atMs: number): string {
  if (atMs === 0) return 'not yet';
  const pad = (value: number): string => String(value).padStart(2, '0');
  const at = new Date(atMs);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

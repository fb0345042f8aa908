/*
 * Text for a terminal. Whatever a model, a tool or a record supplied is shown with
 * its invisible characters escaped: a terminal obeys control characters, and a
 * reordered line is not what would be written.
 */

/**
 * Control, format (bidi among them), surrogate, private-use and unassigned
 * characters, everything a font may show as nothing, and every blank but the
 * ordinary one.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;

/** One line of text with every invisible character as `\u{…}`. */
export function plainLine(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A text value between quotes, so that blanks at its ends, an empty text, and the word NULL cannot be mistaken. */
export function quotedLine(text: string): string {
  return `"${plainLine(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'))}"`;
}

/** Text of several lines; only the line breaks stay. */
export function plainLines(text: string): string[] {
  return text.split('\n').map(plainLine);
}

/** Whether any text inside a plain value would be changed by escaping: worth a warning beside it. Line breaks and tabs are ordinary. */
export function hasInvisible(value: unknown): boolean {
  if (typeof value === 'string') return value.replaceAll(/[\n\r\t]/g, '').search(INVISIBLE) >= 0;
  if (Array.isArray(value)) return value.some(hasInvisible);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasInvisible(key) || hasInvisible(inner));
}

export function localTime(atMs: number): string {
  if (atMs === 0) return 'not yet';
  const pad = (value: number): string => String(value).padStart(2, '0');
  const at = new Date(atMs);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

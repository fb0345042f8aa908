/** Most bytes (UTF-8) of one tool result that reach a model, the marker included. Source: runtime.md §11.8. */
export const MAX_CONTENT_BYTES = 50_000;

/**
 * Bounds text to `maxBytes` UTF-8 bytes. Text that fits is returned as it is, with
 * halves of surrogate pairs replaced; longer text is cut between two characters and
 * ends with a marker that says how long the whole was. The marker counts, so the
 * result never exceeds the bound.
 * Source: runtime.md §11.8, cases.
 */
export function boundText(text: string, maxBytes: number = MAX_CONTENT_BYTES): string {
  const wellFormed = text.toWellFormed();
  const bytes = Buffer.from(wellFormed, 'utf8');
  if (bytes.length <= maxBytes) return wellFormed;
  const marker = `\n[cut here; the whole result has ${bytes.length} bytes]`;
  let end = Math.max(0, maxBytes - Buffer.byteLength(marker));
  // 10xxxxxx is the inside of a character: step back to its first byte.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + marker;
}

/** Characters of a note: a sentence or two, not a document. */
export const MAX_NOTE_LENGTH = 500;

// oxlint-disable-next-line no-control-regex -- these are exactly what is taken out
const UNWANTED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A person's note as it is stored: one line, without controls and marks of direction, cut at a whole character. */
export function cleanNote(text: string): string {
  const line = text.toWellFormed().replaceAll(UNWANTED, ' ').replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, MAX_NOTE_LENGTH).join('');
}

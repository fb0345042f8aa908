import { withoutInvisible } from '../../src-shared/plain-text.ts';

/** Characters of a note: a sentence or two, not a document. */
export const MAX_NOTE_LENGTH = 500;

/** A person's note as it is stored: one line of what can be seen, cut at a whole character. */
export function cleanNote(text: string): string {
  const line = withoutInvisible(text).replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, MAX_NOTE_LENGTH).join('');
}

import { hasInvisible } from '../../../src-shared/plain-text.ts';

/** A question that a person could not read or answer without doubt; it is not asked. */
export class QuestionUnclear extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'QuestionUnclear';
  }
}

/** Faults: `QuestionUnclear` for line breaks, blank text and characters that show as nothing or reorder others. */
export function proveOneLine(text: string): void {
  if (text.trim() === '') throw new QuestionUnclear('A text of the question is blank.');
  if (/[\n\r\t]/.test(text)) throw new QuestionUnclear('A text of the question has more than one line.');
  if (hasInvisible(text)) throw new QuestionUnclear('A text of the question holds invisible characters.');
}

/** Faults: `QuestionUnclear` when two texts look the same to a person. */
export function proveDifferent(texts: string[]): void {
  const seen = new Set(texts.map((text) => text.normalize('NFKC').trim().toLowerCase()));
  if (seen.size < texts.length) throw new QuestionUnclear('Two names, labels or options of the question are the same.');
}

import type { Attribution } from '../../src-shared/vocabulary.ts';

/** How somebody approved, for every command that says so. Only what a person may want to look at stands out. */
const WORDS: Record<Attribution | '', string> = {
  '': '',
  self: 'SELF-APPROVED',
  unresolved: 'approved, unknown by whom',
  initiatorUnknown: 'approved; unknown who started it',
  secondPerson: 'approved by a second person',
};

export const attributionWords = (attribution: Attribution | ''): string => WORDS[attribution];

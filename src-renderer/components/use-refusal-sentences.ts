import { useTranslation } from 'react-i18next';
import type { FieldProblem, Refusal } from '../../src-shared/refusals.ts';

/** The sentences for refusals and for fields, in the person's language. */
export function useRefusalSentences(): {
  sentence(refusal: Refusal): string;
  fieldSentence(problem: FieldProblem): string;
} {
  const { t } = useTranslation('refusal');
  return {
    // Every fact any sentence may name; a refusal without one has a sentence without it.
    sentence: (refusal) => t(refusal.kind, { configuration: '', toolName: '', ...refusal }),
    fieldSentence: ({ problem, limit }) => t(`field.${problem}`, { limit: limit ?? 0 }),
  };
}

import { useTranslation } from 'react-i18next';
import type { AnswerProblem, FieldProblem, Refusal } from '../../src-shared/refusals.ts';

/** The sentences for refusals and for fields, in the person's language. */
export function useRefusalSentences(): {
  sentence(refusal: Refusal): string;
  fieldSentence(problem: FieldProblem): string;
  answerSentence(problem: AnswerProblem): string;
} {
  const { t } = useTranslation('refusal');
  const { t: answer } = useTranslation('answer');
  return {
    // Every fact any sentence may name; a refusal without one has a sentence without it.
    sentence: (refusal) => t(refusal.kind, { configuration: '', toolName: '', ...refusal }),
    answerSentence: ({ problem, limit }) => answer(`problem.${problem}`, { limit: limit ?? 0 }),
    fieldSentence: ({ problem, limit }) => t(`field.${problem}`, { limit: limit ?? 0 }),
  };
}

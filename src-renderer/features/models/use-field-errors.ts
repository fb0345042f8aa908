import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import type { ConnectModelStore } from './connect-model-store.ts';

/** The sentence for a field's problem, by the field's path, e.g. `databases.0.path`. */
export function useFieldErrors({ store }: ConnectModelStore): (field: string) => string | undefined {
  const { t } = useTranslation('models');
  const { fieldSentence } = useRefusalSentences();
  const problems = useStore(store, (state) => state.problems);
  return (field) => {
    const problem = problems.find((each) => each.field === field);
    if (!problem) return undefined;
    return problem.problem === 'key_bound_to_address' ? t('keyAgain') : fieldSentence(problem);
  };
}

import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** The words for changes and the language for numbers in them, asked for once per table or text and handed to its thousands of parts. */
export interface ChangeWords {
  t: TFunction<'change'>;
  /** A count as people write it. */
  count(amount: number): string;
}

/** The words for changes in the person's language; the same object until the language changes. */
export function useChangeWords(): ChangeWords {
  const { t, i18n } = useTranslation('change');
  const language = i18n.language;
  return useMemo(() => {
    const format = new Intl.NumberFormat(language);
    return { t, count: (amount) => format.format(amount) };
  }, [t, language]);
}

import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { ageWords } from './time-words.ts';
import { useNow } from './use-now.ts';

/** When a run ends by itself if nobody decides. */
export function Expiry({ atMs }: { atMs: number }): JSX.Element {
  const { t, i18n } = useTranslation('runWords');
  const nowMs = useNow();
  return <span>{t('expiresIn', { wait: ageWords(i18n.language, nowMs, atMs) })}</span>;
}

import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { CutNote } from './cut-note.tsx';
import { excerptOf } from './cut-text.ts';
import { EscapedText } from './escaped-text.tsx';

/** Plain text from outside; a long one shows its beginning until it is opened. */
export function LongText({ text, isOpen, onOpen }: { text: string; isOpen: boolean; onOpen: () => void }): JSX.Element {
  const { t, i18n } = useTranslation('change');
  const { ranges, shown, total } = excerptOf(text);
  return (
    <>
      <EscapedText text={isOpen ? text : text.slice(0, ranges[0]?.end)} />
      {!isOpen && shown < total && (
        <CutNote
          sentence={t('shown', {
            shown: shown.toLocaleString(i18n.language),
            total: total.toLocaleString(i18n.language),
          })}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

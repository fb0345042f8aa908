import type { JSX } from 'react';
import { CutNote } from './cut-note.tsx';
import { excerptOf } from './cut-text.ts';
import { EscapedText } from './escaped-text.tsx';
import { useChangeWords } from './use-change-words.ts';

/** Plain text from outside; a long one shows its beginning until it is opened. */
export function LongText({ text, isOpen, onOpen }: { text: string; isOpen: boolean; onOpen: () => void }): JSX.Element {
  const { t, count } = useChangeWords();
  const { ranges, shown, total } = excerptOf(text);
  return (
    <>
      <EscapedText text={isOpen ? text : text.slice(0, ranges[0]?.end)} />
      {!isOpen && shown < total && (
        <CutNote
          sentence={t('shown', {
            shown: count(shown),
            total: count(total),
          })}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { countCharacters, type Excerpt } from './cut-text.ts';
import { EscapedText } from './escaped-text.tsx';
import { sliceParts, type MarkedPart } from './word-marks.ts';

/** Which side of a change a text is: what goes is `<del>`, what comes is `<ins>`. */
export type Side = 'before' | 'after';

/** Text with its changed parts marked, in whole or in part. */
export function MarkedText({
  parts,
  side,
  excerpt,
}: {
  parts: MarkedPart[];
  side: Side;
  excerpt: Excerpt;
}): JSX.Element {
  const [head, later] = excerpt.ranges;
  return (
    <>
      {head && <Parts parts={sliceParts(parts, head.start, head.end)} side={side} />}
      {head && later && (
        <>
          <Skipped count={countCharacters(joined(sliceParts(parts, head.end, later.start)))} />
          <Parts parts={sliceParts(parts, later.start, later.end)} side={side} />
        </>
      )}
    </>
  );
}

const joined = (parts: MarkedPart[]): string => parts.map(({ text }) => text).join('');

function Skipped({ count }: { count: number }): JSX.Element {
  const { t, i18n } = useTranslation('change');
  return <span className="skipped">{t('skipped', { amount: count.toLocaleString(i18n.language) })}</span>;
}

function Parts({ parts, side }: { parts: MarkedPart[]; side: Side }): JSX.Element {
  return (
    <>
      {parts.map(({ text, isChanged }, index) => {
        if (!isChanged) return <EscapedText key={index} text={text} />;
        const Mark = side === 'before' ? 'del' : 'ins';
        return <Mark key={index}>{text.trim() === '' ? <Blanks text={text} /> : <EscapedText text={text} />}</Mark>;
      })}
    </>
  );
}

const BLANK_SIGNS: Record<string, string> = { ' ': '·', '\t': '→', '\n': '↵\n' };

/** Blanks and line ends that are all there is to see: with signs in their places. */
export function Blanks({ text }: { text: string }): JSX.Element {
  return (
    <span className="blanks">
      <EscapedText text={text.replaceAll(/[ \t\n]/g, (blank) => BLANK_SIGNS[blank] ?? blank)} />
    </span>
  );
}

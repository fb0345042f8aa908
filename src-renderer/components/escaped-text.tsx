import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { blankParts, type BlankPart } from './blank-marks.ts';
import { floodText, isFlood, shownParts, type ShownPart } from './shown-parts.ts';
import './escaped-text.css';

/**
 * Text from outside, shown as what it is: never as markup, with invisible characters
 * as marked escapes. On one line (names, titles) line breaks are escaped, too, and
 * blanks that nobody would see have marked signs.
 */
export function EscapedText({ text, isOneLine = false }: { text: string; isOneLine?: boolean }): JSX.Element {
  return <BlankedText parts={isOneLine ? blankParts(text, true) : [{ text, isBlank: false }]} isOneLine={isOneLine} />;
}

/**
 * Text whose hidden blanks are known already, shown like `EscapedText`. `dir="ltr"` and
 * isolation keep a right-to-left text from moving what stands around it.
 */
export function BlankedText({ parts, isOneLine = false }: { parts: BlankPart[]; isOneLine?: boolean }): JSX.Element {
  const shown = shownParts(parts, isOneLine);
  return (
    <bdi dir="ltr" className="escaped-text">
      {isFlood(shown) ? <Flood parts={shown} /> : shown.map((part, index) => <Part key={index} {...part} />)}
    </bdi>
  );
}

const MARK_CLASSES = { escape: 'escape', blank: 'blank-sign' } as const;

// The parts of one text never move: their place is their identity.
function Part({ text, kind }: ShownPart): JSX.Element {
  return kind === 'text' ? <>{text}</> : <mark className={MARK_CLASSES[kind]}>{text}</mark>;
}

function Flood({ parts }: { parts: ShownPart[] }): JSX.Element {
  const { t } = useTranslation('change');
  return (
    <>
      <span className="flood-note">{t('flood')}</span>
      <mark className="escape">{floodText(parts)}</mark>
    </>
  );
}

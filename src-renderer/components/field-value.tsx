import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { excerptOf, type Excerpt } from './cut-text.ts';
import { CutNote } from './cut-note.tsx';
import { Blanks, MarkedText, type Side } from './marked-text.tsx';
import { needsType, typeOf, writtenValue, type FieldValue } from './value-words.ts';
import type { MarkedPart } from './word-marks.ts';

/** One value of one side of a change, with what it could be mistaken for said beside it. */
export interface ShownValue {
  field: string;
  value: FieldValue;
  /** The value of the other side. */
  other: FieldValue;
  parts: MarkedPart[];
  side: Side;
  firstChange: number;
  isOpen: boolean;
  /** Only where the button to open it is to stand. */
  onOpen?: () => void;
}

/** A value exactly as it is stored: NULL, empty text, text that reads like a number and the number are all told apart. */
export function FieldValueView({ value, other, parts, ...rest }: ShownValue): JSX.Element {
  const { t } = useTranslation('change');
  if (value === undefined) return <Tag>{t('absent')}</Tag>;
  if (value === null) return <Tag>{t('null')}</Tag>;
  if (value === '') return <Tag>{t('emptyText')}</Tag>;
  const written = writtenValue(value);
  const type = needsType(value, other) ? typeOf(value) : null;
  const isBlank = written.trim() === '';
  const isUnmarkedBlank = isBlank && parts.every(({ isChanged }) => !isChanged);
  return (
    <>
      {isUnmarkedBlank ? <Blanks text={written} /> : <LongValue written={written} parts={parts} {...rest} />}
      {isBlank && <Tag>{t('blankText')}</Tag>}
      {type && <Tag>{t(TYPE_WORDS[type])}</Tag>}
    </>
  );
}

const TYPE_WORDS = { text: 'typeText', number: 'typeNumber', boolean: 'typeBoolean' } as const;

function LongValue({
  written,
  parts,
  side,
  field,
  firstChange,
  isOpen,
  onOpen,
}: Omit<ShownValue, 'value' | 'other'> & { written: string }): JSX.Element {
  const { t, i18n } = useTranslation('change');
  const excerpt: Excerpt = isOpen ? wholeOf(written) : excerptOf(written, firstChange);
  return (
    <>
      <MarkedText parts={parts} side={side} excerpt={excerpt} />
      {excerpt.shown < excerpt.total && (
        <CutNote sentence={t('shown', inWords(excerpt, i18n.language))} of={field} onOpen={onOpen} />
      )}
    </>
  );
}

const wholeOf = (text: string): Excerpt => ({ ranges: [{ start: 0, end: text.length }], shown: 0, total: 0 });

const inWords = ({ shown, total }: Excerpt, language: string): { shown: string; total: string } => ({
  shown: shown.toLocaleString(language),
  total: total.toLocaleString(language),
});

function Tag({ children }: { children: ReactNode }): JSX.Element {
  return <span className="value-tag">{children}</span>;
}

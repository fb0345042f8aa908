import type { JSX, ReactNode } from 'react';
import { excerptOf, type Excerpt } from './cut-text.ts';
import { CutNote } from './cut-note.tsx';
import { MarkedText, type Side } from './marked-text.tsx';
import type { ChangeWords } from './use-change-words.ts';
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
  words: ChangeWords;
  isOpen: boolean;
  /** Only where the button to open it is to stand. */
  onOpen?: () => void;
}

/** A value exactly as it is stored: NULL, empty text, text that reads like a number and the number are all told apart. */
export function FieldValueView({ value, other, parts, ...rest }: ShownValue): JSX.Element {
  const { t } = rest.words;
  if (value === undefined) return <Tag>{t('absent')}</Tag>;
  if (value === null) return <Tag>{t('null')}</Tag>;
  if (value === '') return <Tag>{t('emptyText')}</Tag>;
  const written = writtenValue(value);
  const type = needsType(value, other) ? typeOf(value) : null;
  const isBlank = written.trim() === '';
  return (
    <>
      <LongValue written={written} parts={parts} {...rest} />
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
  words,
  isOpen,
  onOpen,
}: Omit<ShownValue, 'value' | 'other'> & { written: string }): JSX.Element {
  const excerpt: Excerpt = isOpen ? wholeOf(written) : excerptOf(written, firstChange);
  return (
    <>
      <MarkedText parts={parts} side={side} excerpt={excerpt} words={words} />
      {excerpt.shown < excerpt.total && (
        <CutNote
          sentence={words.t('shown', { shown: words.count(excerpt.shown), total: words.count(excerpt.total) })}
          of={field}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

const wholeOf = (text: string): Excerpt => ({ ranges: [{ start: 0, end: text.length }], shown: 0, total: 0 });

function Tag({ children }: { children: ReactNode }): JSX.Element {
  return <span className="value-tag">{children}</span>;
}

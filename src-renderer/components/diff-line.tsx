import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { excerptOf } from './cut-text.ts';
import { lineMarks } from './diff-lines.ts';
import { MarkedText } from './marked-text.tsx';
import type { DiffLine } from './parse-text-diff.ts';
import { sliceParts, wholePart } from './word-marks.ts';

/** How the lines of one diff are shown. */
export interface LineView {
  /** Long lines are shown whole. */
  isWhole: boolean;
  /** The carriage return at the end of every line is left out. */
  hidesReturns: boolean;
}

/** The text of one line, with the words marked that its partner does not have. */
export function DiffLineText({ line, isWhole, hidesReturns }: { line: DiffLine } & LineView): JSX.Element {
  const { t } = useTranslation('change');
  const text = hidesReturns && line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text;
  const side = line.sign === '-' ? 'before' : 'after';
  const marks = lineMarks(line);
  const parts = marks ? sliceParts(marks[side], 0, text.length) : wholePart(text, false);
  const excerpt = isWhole
    ? { ranges: [{ start: 0, end: text.length }], shown: 0, total: 0 }
    : excerptOf(text, marks?.firstChange);
  return (
    <span className="diff-text">
      <MarkedText parts={parts} side={side} excerpt={excerpt} />
      {excerpt.shown < excerpt.total && (
        <span className="skipped">{t('shown', { shown: excerpt.shown, total: excerpt.total })}</span>
      )}
      {line.hasNoLineEnd && <span className="diff-remark">{t('noLineEnd')}</span>}
    </span>
  );
}

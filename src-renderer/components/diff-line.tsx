import type { JSX } from 'react';
import { excerptOf } from './cut-text.ts';
import { lineMarks, withoutReturn } from './diff-lines.ts';
import { MarkedText } from './marked-text.tsx';
import type { DiffLine } from './parse-text-diff.ts';
import type { ChangeWords } from './use-change-words.ts';
import { sliceParts, wholePart } from './word-marks.ts';

/** How the lines of one diff are shown. */
export interface LineView {
  /** Long lines are shown whole. */
  isWhole: boolean;
  /** The carriage return of every line end is left out. */
  hidesReturns: boolean;
  words: ChangeWords;
}

/** The text of one line, with the words marked that its partner does not have. */
export function DiffLineText({ line, isWhole, hidesReturns, words }: { line: DiffLine } & LineView): JSX.Element {
  const text = hidesReturns ? withoutReturn(line) : line.text;
  const side = line.sign === '-' ? 'before' : 'after';
  const marks = lineMarks(line);
  const parts = marks ? sliceParts(marks[side], 0, text.length) : wholePart(text, false);
  const excerpt = isWhole
    ? { ranges: [{ start: 0, end: text.length }], shown: 0, total: 0 }
    : excerptOf(text, marks?.firstChange);
  return (
    <span className="diff-text">
      <MarkedText parts={parts} side={side} excerpt={excerpt} words={words} isContext={line.sign === ' '} />
      {excerpt.shown < excerpt.total && (
        <span className="skipped">
          {words.t('shown', { shown: words.count(excerpt.shown), total: words.count(excerpt.total) })}
        </span>
      )}
      {line.hasNoLineEnd && <span className="diff-remark">{words.t('noLineEnd')}</span>}
    </span>
  );
}

import { memo, useMemo, type JSX } from 'react';
import { CutNote } from './cut-note.tsx';
import { DiffLineText, type LineView } from './diff-line.tsx';
import { countLines, endsInCarriageReturns, inPortions, isLongDiff, SHOWN_LINES, type Portion } from './diff-lines.ts';
import { LongText } from './long-text.tsx';
import { besideEachOther, pairLines, type LinePair } from './pair-lines.ts';
import { parseTextDiff, type DiffLine, type Hunk } from './parse-text-diff.ts';
import { DIFF_CUT } from './preview-cuts.ts';
import { useChangeWords } from './use-change-words.ts';
import { useGrowing } from './use-growing.ts';

/** Rows rendered at once, and laid out only while they are near the screen. */
const ROWS_PER_PORTION = 200;
const PORTIONS_PER_FRAME = 2;

export type DiffLayout = 'unified' | 'side-by-side';

interface TextDiffProps {
  /** A unified diff without file names. */
  diff: string;
  layout: DiffLayout;
  /** Names of the shortened parts that were opened; see `preview-cuts.ts`. */
  opened: ReadonlySet<string>;
  onOpen: (cut: string) => void;
}

/** A text before and after, line by line. Never markup: every line is shown as what it is. */
export function TextDiff({ diff, layout, opened, onOpen }: TextDiffProps): JSX.Element {
  const words = useChangeWords();
  const { t, count } = words;
  const hunks = useMemo(() => readDiff(diff), [diff]);
  const isOpen = opened.has(DIFF_CUT);
  const isShortened = useMemo(() => !isOpen && hunks !== null && isLongDiff(hunks), [hunks, isOpen]);
  const portions = useMemo(() => {
    const rows = (hunks ?? []).map(({ header, lines }) => ({
      header,
      rows: layout === 'unified' ? lines : besideEachOther(lines),
    }));
    return inPortions<DiffLine | LinePair>(rows, ROWS_PER_PORTION, isShortened ? SHOWN_LINES : Infinity);
  }, [hunks, layout, isShortened]);
  const hidesReturns = useMemo(() => hunks !== null && endsInCarriageReturns(hunks), [hunks]);
  if (!hunks) return <UnreadableDiff diff={diff} isOpen={isOpen} onOpen={() => onOpen(DIFF_CUT)} />;
  const view = { isWhole: !isShortened, hidesReturns, words };
  return (
    <div className="text-diff" data-layout={layout} role="group" aria-label={t('changedText')}>
      {hidesReturns && <p className="quiet">{t('carriageReturns')}</p>}
      <Portions key={layout} portions={portions} {...view} />
      {isShortened && (
        <CutNote
          sentence={t('linesShown', {
            shown: count(countRowLines(portions)),
            total: count(countLines(hunks)),
          })}
          onOpen={() => onOpen(DIFF_CUT)}
        />
      )}
    </div>
  );
}

/** The lines of a diff with their partners; null = it is none. */
function readDiff(diff: string): Hunk[] | null {
  const hunks = parseTextDiff(diff);
  for (const { lines } of hunks ?? []) pairLines(lines);
  return hunks;
}

/** How many lines of the diff stand in rows, each counted once. */
const countRowLines = (portions: Portion<DiffLine | LinePair>[]): number =>
  portions
    .flatMap(({ rows }) => rows)
    .reduce((sum, row) => sum + ('sign' in row || row.before === row.after || !row.before || !row.after ? 1 : 2), 0);

function Portions({ portions, ...view }: { portions: Portion<DiffLine | LinePair>[] } & LineView): JSX.Element {
  const shown = useGrowing(portions.length, PORTIONS_PER_FRAME);
  return (
    <div className="diff-lines">
      {portions.slice(0, shown).map(({ header, rows }, index) => (
        // Portions of one diff never move.
        <PortionView key={index} header={header} rows={rows} {...view} />
      ))}
    </div>
  );
}

const PortionView = memo(function PortionView({
  header,
  rows,
  ...view
}: Portion<DiffLine | LinePair> & LineView): JSX.Element {
  return (
    <div className="diff-portion">
      {header !== null && <div className="diff-header">{header}</div>}
      {rows.map((row, index) =>
        'sign' in row ? (
          <UnifiedLine key={index} line={row} {...view} />
        ) : (
          <div key={index} className="diff-pair">
            <HalfLine line={row.before} side="before" {...view} />
            <HalfLine line={row.after} side="after" {...view} />
          </div>
        ),
      )}
    </div>
  );
});

function UnifiedLine({ line, ...view }: { line: DiffLine } & LineView): JSX.Element {
  return (
    <div className="diff-line" data-sign={line.sign}>
      <span className="diff-number">{line.before}</span>
      <span className="diff-number">{line.after}</span>
      <span className="diff-sign">{line.sign}</span>
      <DiffLineText line={line} {...view} />
    </div>
  );
}

function HalfLine({
  line,
  side,
  ...view
}: { line: DiffLine | null; side: 'before' | 'after' } & LineView): JSX.Element {
  if (!line) return <div className="diff-line diff-gap" data-side={side} />;
  return (
    <div className="diff-line" data-sign={line.sign} data-side={side}>
      <span className="diff-number">{line[side]}</span>
      <span className="diff-sign">{line.sign}</span>
      <DiffLineText line={line} {...view} />
    </div>
  );
}

function UnreadableDiff({ diff, isOpen, onOpen }: { diff: string; isOpen: boolean; onOpen: () => void }): JSX.Element {
  const { t } = useChangeWords();
  return (
    <>
      <p>{t('unreadableDiff')}</p>
      <LongText text={diff} isOpen={isOpen} onOpen={onOpen} />
    </>
  );
}

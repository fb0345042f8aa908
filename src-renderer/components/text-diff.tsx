import { memo, useMemo, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { CutNote } from './cut-note.tsx';
import { DiffLineText, type LineView } from './diff-line.tsx';
import {
  besideEachOther,
  countLines,
  endsInCarriageReturns,
  firstLines,
  inPortions,
  isLongDiff,
  SHOWN_LINES,
} from './diff-lines.ts';
import { LongText } from './long-text.tsx';
import { parseTextDiff, type DiffLine } from './parse-text-diff.ts';
import { DIFF_CUT } from './preview-cuts.ts';
import { useGrowing } from './use-growing.ts';

/** Lines rendered at once, and laid out only while they are near the screen. */
const LINES_PER_PORTION = 200;

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
  const { t, i18n } = useTranslation('change');
  const hunks = useMemo(() => parseTextDiff(diff), [diff]);
  const isOpen = opened.has(DIFF_CUT);
  const isShortened = useMemo(() => !isOpen && hunks !== null && isLongDiff(hunks), [hunks, isOpen]);
  const portions = useMemo(
    () => inPortions(isShortened ? firstLines(hunks ?? [], SHOWN_LINES) : (hunks ?? []), LINES_PER_PORTION),
    [hunks, isShortened],
  );
  const shown = useGrowing(portions.length, 2);
  const hidesReturns = useMemo(() => hunks !== null && endsInCarriageReturns(hunks), [hunks]);
  if (!hunks) return <UnreadableDiff diff={diff} isOpen={isOpen} onOpen={() => onOpen(DIFF_CUT)} />;
  const total = countLines(hunks);
  const view = { isWhole: !isShortened, hidesReturns };
  return (
    <div className="text-diff" data-layout={layout} role="group" aria-label={t('changedText')}>
      {hidesReturns && <p className="quiet">{t('carriageReturns')}</p>}
      <div className="diff-lines">
        {portions.slice(0, shown).map(({ header, lines }, index) => (
          // Portions of one diff never move.
          <Portion key={index} header={header} lines={lines} layout={layout} {...view} />
        ))}
      </div>
      {isShortened && (
        <CutNote
          sentence={t('linesShown', {
            shown: Math.min(total, SHOWN_LINES).toLocaleString(i18n.language),
            total: total.toLocaleString(i18n.language),
          })}
          onOpen={() => onOpen(DIFF_CUT)}
        />
      )}
    </div>
  );
}

const Portion = memo(function Portion({
  header,
  lines,
  layout,
  ...view
}: { header: string | null; lines: DiffLine[]; layout: DiffLayout } & LineView): JSX.Element {
  return (
    <div className="diff-portion">
      {header !== null && <div className="diff-header">{header}</div>}
      {layout === 'unified'
        ? lines.map((line, index) => <UnifiedLine key={index} line={line} {...view} />)
        : besideEachOther(lines).map(({ before, after }, index) => (
            <div key={index} className="diff-pair">
              <HalfLine line={before} side="before" {...view} />
              <HalfLine line={after} side="after" {...view} />
            </div>
          ))}
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
  const { t } = useTranslation('change');
  return (
    <>
      <p>{t('unreadableDiff')}</p>
      <LongText text={diff} isOpen={isOpen} onOpen={onOpen} />
    </>
  );
}

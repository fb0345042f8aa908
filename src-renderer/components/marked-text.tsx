import type { JSX } from 'react';
import { markBlanks, type BlankPart } from './blank-marks.ts';
import { countCharacters, type Excerpt } from './cut-text.ts';
import { BlankedText } from './escaped-text.tsx';
import type { ChangeWords } from './use-change-words.ts';
import { sliceParts, type MarkedPart } from './word-marks.ts';

/** Which side of a change a text is: what goes is `<del>`, what comes is `<ins>`. */
export type Side = 'before' | 'after';

/** Text with its changed parts and its hidden blanks marked, in whole or in part. */
export function MarkedText({
  parts,
  side,
  excerpt,
  words,
  isContext = false,
}: {
  parts: MarkedPart[];
  side: Side;
  excerpt: Excerpt;
  words: ChangeWords;
  /** It stays as it is on both sides: its blanks are not what is decided about. */
  isContext?: boolean;
}): JSX.Element {
  const [head, later] = excerpt.ranges;
  const marked = isContext ? parts.map((part) => ({ ...part, isBlank: false })) : markBlanks(parts);
  return (
    <>
      {head && <Parts parts={sliceParts(marked, head.start, head.end)} side={side} />}
      {head && later && (
        <>
          <span className="skipped">
            {words.t('skipped', {
              amount: words.count(countCharacters(joined(sliceParts(parts, head.end, later.start)))),
            })}
          </span>
          <Parts parts={sliceParts(marked, later.start, later.end)} side={side} />
        </>
      )}
    </>
  );
}

const joined = (parts: MarkedPart[]): string => parts.map(({ text }) => text).join('');

function Parts({ parts, side }: { parts: (MarkedPart & BlankPart)[]; side: Side }): JSX.Element {
  const Mark = side === 'before' ? 'del' : 'ins';
  return (
    <>
      {inChanges(parts).map((stretch, index) =>
        stretch[0]?.isChanged ? (
          <Mark key={index}>
            <BlankedText parts={stretch} />
          </Mark>
        ) : (
          <BlankedText key={index} parts={stretch} />
        ),
      )}
    </>
  );
}

/** Neighbours that are changed alike, together: a text that is torn apart would be laid out in another order. */
function inChanges(parts: (MarkedPart & BlankPart)[]): (MarkedPart & BlankPart)[][] {
  const stretches: (MarkedPart & BlankPart)[][] = [];
  for (const part of parts) {
    const last = stretches.at(-1);
    if (last?.[0]?.isChanged === part.isChanged) last.push(part);
    else stretches.push([part]);
  }
  return stretches;
}

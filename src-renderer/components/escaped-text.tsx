import type { JSX } from 'react';
import { textParts } from '../../src-shared/plain-text.ts';

/** More escapes than this are marked together: an element for each of thousands would hold up the page. */
const MOST_MARKS = 2_000;

/**
 * Text from outside, shown as what it is: never as markup, with invisible characters
 * as marked escapes. `dir="ltr"` and isolation keep a right-to-left text from moving
 * what stands around it. On one line (names, titles) line breaks are escaped, too.
 */
export function EscapedText({ text, isOneLine = false }: { text: string; isOneLine?: boolean }): JSX.Element {
  const parts = textParts(text, isOneLine);
  return (
    <bdi dir="ltr" className="escaped-text">
      {parts.length > 2 * MOST_MARKS ? (
        <mark className="escape">{parts.map((part) => part.text).join('')}</mark>
      ) : (
        parts.map((part, index) =>
          part.isEscape ? (
            // The parts of one text never move: their place is their identity.
            <mark key={index} className="escape">
              {part.text}
            </mark>
          ) : (
            part.text
          ),
        )
      )}
    </bdi>
  );
}

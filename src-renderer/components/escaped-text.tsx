import type { JSX } from 'react';
import { textParts } from './plain-text.ts';

/**
 * Text from outside, shown as what it is: never as markup, with invisible characters
 * as marked escapes. `dir="ltr"` and isolation keep a right-to-left text from moving
 * what stands around it.
 */
export function EscapedText({ text }: { text: string }): JSX.Element {
  return (
    <bdi dir="ltr" className="escaped-text">
      {textParts(text).map((part, index) =>
        part.isEscape ? (
          // The parts of one text never move: their place is their identity.
          <mark key={index} className="escape">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

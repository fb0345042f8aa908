import { Badge } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attribution } from '../../src-shared/vocabulary.ts';

/**
 * How somebody approved, as a word; only a person's approval of what they started themselves stands out. It never says who.
 * Source: human-decisions.md §11.
 */
export function AttributionMark({ attribution }: { attribution: Attribution }): JSX.Element {
  const { t } = useTranslation('runWords');
  const word = t(`attribution.${attribution}`);
  switch (attribution) {
    case 'self':
      return (
        <Badge size="sm" radius="sm" variant="default" tt="none" fw={500} className="status-badge status-orange">
          {word}
        </Badge>
      );
    case 'unresolved':
    case 'initiatorUnknown':
    case 'secondPerson':
      return <span className="attribution">{word}</span>;
  }
}

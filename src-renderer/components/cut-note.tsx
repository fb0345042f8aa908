import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { plainLine } from '../../src-shared/plain-text.ts';

/** Says how much of something is shown, and offers the rest. Without `onOpen` it only says so. */
export function CutNote({
  sentence,
  of,
  onOpen,
}: {
  sentence: string;
  /** What it is the whole of, for those who hear the button without seeing its place. */
  of?: string;
  onOpen?: () => void;
}): JSX.Element {
  const { t } = useTranslation('change');
  return (
    <p className="cut-note">
      <span>{sentence}</span>{' '}
      {onOpen && (
        <Button size="compact-sm" variant="default" onClick={onOpen}>
          {t('showAll')}
          {of !== undefined && <span className="visually-hidden"> {t('ofField', { field: plainLine(of) })}</span>}
        </Button>
      )}
    </p>
  );
}

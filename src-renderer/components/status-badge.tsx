import { Badge } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunStatus } from '../../src-shared/vocabulary.ts';

const COLOURS: Record<RunStatus, string> = {
  queued: 'gray',
  running: 'ink',
  waiting_for_approval: 'orange',
  waiting_for_input: 'orange',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
};

/** Where a run stands, as a word; the colour only helps to find it. */
export function StatusBadge({ status }: { status: RunStatus }): JSX.Element {
  const { t } = useTranslation('runWords');
  return (
    <Badge
      size="sm"
      radius="sm"
      variant="default"
      tt="none"
      fw={500}
      className={`status-badge status-${COLOURS[status]}`}
    >
      {t(`status.${status}`)}
    </Badge>
  );
}

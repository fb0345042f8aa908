import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useClient } from '../../api/client-context.ts';
import { useCommand } from '../../api/use-command.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';

/** For who repaired the cause and will not wait for the next try. */
export function RetryRun({ runId }: { runId: string }): JSX.Element {
  const { t } = useTranslation('run');
  const isConnected = useStore(useClient().connection) === 'connected';
  const command = useCommand('runs.retry', { runId });
  return (
    <div>
      <Button
        size="compact-sm"
        variant="default"
        disabled={!isConnected}
        loading={command.isBusy}
        onClick={command.press}
      >
        {t('retry')}
      </Button>
      <FailureAlert failure={command.failure} uncertain={t('uncertain')} />
    </div>
  );
}

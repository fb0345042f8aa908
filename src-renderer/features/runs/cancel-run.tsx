import { Button, Group } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useClient } from '../../api/client-context.ts';
import { useCommand } from '../../api/use-command.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';

/** Ends a run early, after one more question. */
export function CancelRun({ runId }: { runId: string }): JSX.Element {
  const { t } = useTranslation('run');
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const isConnected = useStore(client.connection) === 'connected';
  const command = useCommand('runs.cancel', { runId });
  if (!isAsking) {
    return (
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
    );
  }
  return (
    <div>
      <p className="sentence">{t('cancelAsk')}</p>
      <Group gap="xs">
        <Button size="compact-sm" color="red" disabled={!isConnected} loading={command.isBusy} onClick={command.press}>
          {t('cancelYes')}
        </Button>
        <Button size="compact-sm" variant="default" autoFocus onClick={() => setAsking(false)}>
          {t('cancelNo')}
        </Button>
      </Group>
      <FailureAlert failure={command.failure} uncertain={t('uncertain')} />
    </div>
  );
}

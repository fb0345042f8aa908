import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useClient } from '../../api/client-context.ts';
import { useCommand } from '../../api/use-command.ts';
import { ageWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';

/** The seconds in which an approval can be taken back. The host alone knows when they are over. */
export function WithdrawBar({ runId, untilMs }: { runId: string; untilMs: number }): JSX.Element {
  const { t, i18n } = useTranslation('run');
  const client = useClient();
  const nowMs = useNow();
  const isConnected = useStore(client.connection) === 'connected';
  const command = useCommand('runs.withdraw', { runId });
  const isOpen = untilMs > nowMs;
  return (
    <>
      {isOpen && (
        <div role="status" className="withdraw-bar">
          <span>{t('withdrawing', { wait: ageWords(i18n.language, nowMs, untilMs + 999) })}</span>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!isConnected}
            loading={command.isBusy}
            onClick={command.press}
          >
            {t('withdraw')}
          </Button>
        </div>
      )}
      <FailureAlert failure={command.failure} uncertain={t('uncertain')} />
    </>
  );
}

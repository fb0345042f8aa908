import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useClient } from '../api/client-context.ts';

/** Says that the host cannot be reached, and what helps. Empty while all is well. */
export function ConnectionBanner(): JSX.Element | null {
  const { t } = useTranslation('status');
  const client = useClient();
  const connection = useStore(client.connection);
  if (connection === 'lost') {
    return (
      <div role="alert" className="connection-banner">
        <span>{t('lost')}</span>
        <Button size="compact-sm" variant="default" onClick={() => client.reconnect()}>
          {t('tryAgain')}
        </Button>
      </div>
    );
  }
  if (connection === 'signed_out') {
    return (
      <div role="alert" className="connection-banner">
        <strong>{t('signedOut')}</strong> <span>{t('signedOutText')}</span>
      </div>
    );
  }
  return null;
}

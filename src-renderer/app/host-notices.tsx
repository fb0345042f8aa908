import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { plainLine } from '../../src-shared/plain-text.ts';
import { useClient } from '../api/client-context.ts';
import { createHealth } from '../api/health.ts';
import { useCommand } from '../api/use-command.ts';
import { useResource } from '../api/use-resource.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { momentWords } from '../components/time-words.ts';
import { useNow } from '../components/use-now.ts';

/** Says on every screen that everything is paused, that runs are held, or that the disk is too full for new work. Empty while all is well. */
export function HostNotices(): JSX.Element | null {
  const { t, i18n } = useTranslation('status');
  const { value: health } = useResource(createHealth);
  const isConnected = useStore(useClient().connection) === 'connected';
  const nowMs = useNow();
  const resume = useCommand('host.setPause', { isPaused: false });
  if (!health || (health.paused === null && health.restored === 0 && !health.isDiskLow)) return null;
  const { paused } = health;
  return (
    <>
      {paused && (
        <div role="status" className="connection-banner">
          <span>
            {t('paused', {
              by: plainLine(paused.byName) || t('unknownAccount'),
              since: momentWords(i18n.language, paused.sinceMs, nowMs),
            })}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!isConnected}
            loading={resume.isBusy}
            onClick={resume.press}
          >
            {t('resume')}
          </Button>
          <FailureAlert failure={resume.failure} uncertain={t('pauseUncertain')} />
        </div>
      )}
      {health.restored > 0 && (
        <div role="status" className="connection-banner">
          <span>{t('restored', { count: health.restored })}</span>
        </div>
      )}
      {health.isDiskLow && (
        <div role="status" className="connection-banner">
          <span>{t('diskLow')}</span>
        </div>
      )}
    </>
  );
}

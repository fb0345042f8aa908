import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useClient } from '../api/client-context.ts';
import { createHealth } from '../api/health.ts';
import { useCommand } from '../api/use-command.ts';
import { useResource } from '../api/use-resource.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { SettingsMenu } from './settings-menu.tsx';

/** The places of the console. The number of waiting runs comes from the same rows as the cards. */
export function Rail(): JSX.Element {
  const { t } = useTranslation('frame');
  const client = useClient();
  const { value: health } = useResource(createHealth);
  const waiting = health?.waiting ?? 0;
  return (
    <nav aria-label={t('main')} className="rail">
      <Place href="/" isInside={(path) => path === '/' || path.startsWith('/runs/')}>
        {t('inbox')} {waiting > 0 && <span className="rail-count">{t('waitingCount', { count: waiting })}</span>}
      </Place>
      <Place href="/start" isInside={(path) => path.startsWith('/start')}>
        {t('startRun')}
      </Place>
      <Place href="/models" isInside={(path) => path.startsWith('/models')}>
        {t('models')}
      </Place>
      <div className="rail-end">
        <PauseAll isPaused={health?.paused != null} />
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void openWindow(client)}>
          {t('newWindow')}
        </Button>
        <SettingsMenu />
      </div>
    </nav>
  );
}

/** Stops everything at once; how to go on is said above every screen. */
function PauseAll({ isPaused }: { isPaused: boolean }): JSX.Element {
  const { t } = useTranslation('frame');
  const isConnected = useStore(useClient().connection) === 'connected';
  const pause = useCommand('host.setPause', { isPaused: true });
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        disabled={isPaused || !isConnected}
        loading={pause.isBusy}
        onClick={pause.press}
      >
        {t('pauseAll')}
      </Button>
      <FailureAlert failure={pause.failure} uncertain={t('pauseUncertain')} />
    </>
  );
}

function Place({
  href,
  isInside,
  children,
}: {
  href: string;
  isInside: (path: string) => boolean;
  children: ReactNode;
}): JSX.Element {
  const [path] = useLocation();
  return (
    <Link href={href} className="rail-place" aria-current={isInside(path) ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/** In a browser the host gives an address that works once; the new page knows nothing of this one. */
async function openWindow(client: ReturnType<typeof useClient>): Promise<void> {
  const opened = await client.command('host.openWindow', {});
  if (opened.ok && opened.value.address !== null) window.open(opened.value.address, '_blank', 'noopener');
}

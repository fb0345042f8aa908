import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { HealthView } from '../../src-shared/views/health-view.ts';
import { useClient } from '../api/client-context.ts';
import { createHealth } from '../api/health.ts';
import { createSession } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { ageWords } from '../components/time-words.ts';
import { useNow } from '../components/use-now.ts';

/** How long the bar tells that a worker was replaced. */
const REPLACED_SHOWN_MS = 60_000;

/** Workers, queue, database and person, always in sight. */
export function StatusBar(): JSX.Element {
  const { t } = useTranslation('status');
  const { value: health } = useResource(createHealth);
  const { value: session } = useResource(createSession);
  const connection = useStore(useClient().connection);
  return (
    <footer aria-label={t('status')} className="status-bar">
      {health && <Health health={health} />}
      <span className="status-end">
        {session && (
          <>
            {session.keyProtection === 'none' && <span>{t('keyUnprotected')}</span>}
            <span title={session.database}>{plainLine(fileName(session.database))}</span>
            <span>{plainLine(session.operatorName) || t('unknownAccount')}</span>
          </>
        )}
        <span>
          {t(connection === 'connected' ? 'connected' : connection === 'connecting' ? 'connecting' : 'disconnected')}
        </span>
      </span>
    </footer>
  );
}

function Health({ health }: { health: HealthView }): JSX.Element {
  const { t, i18n } = useTranslation('status');
  const nowMs = useNow();
  const count = (state: string): number => health.workers.filter((worker) => worker.state === state).length;
  const [ready, restarting, all] = [count('ready'), count('restarting') + count('starting'), health.workers.length];
  const wasReplaced = health.lastWorkerEndAtMs > 0 && nowMs - health.lastWorkerEndAtMs < REPLACED_SHOWN_MS;
  return (
    <>
      <span>{restarting > 0 ? t('workersRestarting', { ready, all, restarting }) : t('workers', { ready, all })}</span>
      {wasReplaced && (
        <span role="status" className="status-notice">
          {t('workerReplaced')}
        </span>
      )}
      <span>{t('queued', { count: health.queued })}</span>
      <span>{t('running', { count: health.running })}</span>
      <span>
        {t('waiting', { count: health.waiting })}
        {health.oldestWaitingSinceMs > 0 &&
          `, ${t('longest', { age: ageWords(i18n.language, health.oldestWaitingSinceMs, nowMs) })}`}
      </span>
    </>
  );
}

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import type { UncertainWriteView } from '../../../src-shared/views/inbox-view.ts';
import { describeTarget } from '../../../src-shared/write-target.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { useClient } from '../../api/client-context.ts';
import { useCommand } from '../../api/use-command.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';

/** Writes of which nobody can tell whether they happened: a person has to look at the record itself. */
export function UncertainWrites({ writes }: { writes: UncertainWriteView[] }): JSX.Element | null {
  const { t } = useTranslation('inbox');
  if (writes.length === 0) return null;
  return (
    <>
      <h2 className="list-heading">
        {t('check')} <span className="quiet">{writes.length}</span>
      </h2>
      <ul className="run-items">
        {writes.map((write) => (
          <li key={`${write.runId} ${write.callId} ${write.noticedAtMs}`} className="run-item">
            <Link href={`/runs/${encodeURIComponent(write.runId)}`}>
              <span className="run-item-label">
                {plainLine(write.toolName)} {write.target && plainLine(describeTarget(write.target))}
              </span>{' '}
              <span className="run-item-facts">{t(`uncertain.${write.cause}`)}</span>
            </Link>
            <Findings write={write} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the person found at the target, in one press; the record keeps it, so it is asked in plain words. */
function Findings({ write: { runId, callId } }: { write: UncertainWriteView }): JSX.Element {
  const { t } = useTranslation('inbox');
  const isConnected = useStore(useClient().connection) === 'connected';
  const written = useCommand('runs.resolveWrite', { runId, callId, finding: 'written' });
  const notWritten = useCommand('runs.resolveWrite', { runId, callId, finding: 'not_written' });
  const isBusy = written.isBusy || notWritten.isBusy;
  return (
    <div className="run-item-findings">
      <span className="quiet">{t('found')}</span>
      <Button size="compact-sm" variant="default" disabled={!isConnected || isBusy} onClick={written.press}>
        {t('foundWritten')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={!isConnected || isBusy} onClick={notWritten.press}>
        {t('foundNotWritten')}
      </Button>
      <FailureAlert failure={written.failure ?? notWritten.failure} uncertain={t('foundUncertain')} />
    </div>
  );
}

import { Button } from '@mantine/core';
import { useEffect, useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { useClient } from '../../api/client-context.ts';
import { createConfigurations } from '../../api/configurations.ts';
import { useResource } from '../../api/use-resource.ts';
import { createDrafts } from '../../components/drafts.ts';
import { Loaded } from '../../components/load-state.tsx';
import { parseStartRunDraft } from './start-run-fields.ts';
import { StartRunForm } from './start-run-form.tsx';
import { createStartRunStore, type StartRunStore } from './start-run-store.ts';
import './start-run.css';

/**
 * The form that starts a run.
 *
 * @param configurationId  chosen by the address that led here; null = none
 */
export function StartRunScreen({ configurationId }: { configurationId: string | null }): JSX.Element {
  const { t } = useTranslation('startRun');
  const client = useClient();
  const configurations = useResource(createConfigurations);
  const [startRun] = useState(() =>
    createStartRunStore(client, createDrafts(sessionStorage, 'countersign.startRun', parseStartRunDraft), () =>
      crypto.randomUUID(),
    ),
  );
  useChoiceOfAddress(startRun, configurationId);
  return (
    <div className="screen start-run">
      <h1>{t('title')}</h1>
      <Loaded {...configurations}>
        {(list) => (list.length === 0 ? <NothingToStart /> : <Choice startRun={startRun} configurations={list} />)}
      </Loaded>
    </div>
  );
}

/** The address chooses once; the choice then belongs to the form, so that a reload does not undo another one. */
function useChoiceOfAddress(startRun: StartRunStore, configurationId: string | null): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (configurationId === null) return;
    startRun.change('configurationId', configurationId);
    navigate('/start', { replace: true });
  }, [startRun, configurationId, navigate]);
}

function Choice({
  startRun,
  configurations,
}: {
  startRun: StartRunStore;
  configurations: ConfigurationView[];
}): JSX.Element {
  useEffect(() => startRun.offer(configurations), [startRun, configurations]);
  return <StartRunForm startRun={startRun} configurations={configurations} />;
}

function NothingToStart(): JSX.Element {
  const { t } = useTranslation('startRun');
  return (
    <>
      <p>{t('nothingConnected')}</p>
      <div className="start-run-buttons">
        <Button component={Link} href="/">
          {t('firstSteps')}
        </Button>
        <Button component={Link} href="/models/new" variant="default">
          {t('connectModel')}
        </Button>
      </div>
    </>
  );
}

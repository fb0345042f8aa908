import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import { createSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { useGoOn } from '../../components/use-go-on.ts';
import type { FirstRunStore } from './first-run-store.ts';
import './first-run.css';

/** What a person sees who has nothing to work with yet: what this is, and the two things one can do. */
export function FirstRunScreen({ firstRun }: { firstRun: FirstRunStore }): JSX.Element {
  const { t } = useTranslation('firstRun');
  const { value: session } = useResource(createSession);
  return (
    <div className="screen first-run">
      <h1>{t('welcome')}</h1>
      <p className="first-run-what">{t('what')}</p>
      {session?.isAdmin === false ? (
        <p role="note" className="notice">
          {t('onlyAdministrators')}
        </p>
      ) : (
        <div className="first-run-cards">
          <SampleCard firstRun={firstRun} />
          <Card title={t('modelTitle')} text={t('modelText')} points={[t('modelPath'), t('modelReach'), t('modelKey')]}>
            <Button component={Link} href="/models/new" variant="default">
              {t('connectModel')}
            </Button>
          </Card>
        </div>
      )}
    </div>
  );
}

function SampleCard({ firstRun }: { firstRun: FirstRunStore }): JSX.Element {
  const { t } = useTranslation('firstRun');
  const state = useStore(firstRun.store);
  const goOn = useGoOn();
  async function trySample(): Promise<void> {
    const runId = await firstRun.trySample();
    if (runId !== null) goOn(`/runs/${encodeURIComponent(runId)}`);
  }
  return (
    <Card
      title={t('sampleTitle')}
      text={t('sampleText')}
      points={[t('sampleOffline'), t('sampleFiles'), t('sampleAsks')]}
    >
      <BusyButton isBusy={state.phase === 'working'} onPress={() => void trySample()}>
        {t('trySample')}
      </BusyButton>
      <p role="status" className="quiet">
        {state.phase === 'working' && t('building')}
      </p>
      <FailureAlert
        failure={state.phase === 'failed' ? state.failure : null}
        uncertain={t('uncertain')}
        onClose={firstRun.close}
      />
    </Card>
  );
}

function Card({
  title,
  text,
  points,
  children,
}: {
  title: string;
  text: string;
  points: string[];
  children: ReactNode;
}): JSX.Element {
  return (
    <section className="first-run-card">
      <h2>{title}</h2>
      <p>{text}</p>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <div className="first-run-action">{children}</div>
    </section>
  );
}

import { Alert } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ModelTestView } from '../../../src-shared/views/model-test-view.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { durationWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';
import type { ConnectModelStore } from './connect-model-store.ts';

/** Asks the model one question with the present entries, and says what really came of it. */
export function ModelTestPart({ connectModel }: { connectModel: ConnectModelStore }): JSX.Element {
  const { t } = useTranslation('models');
  const { test } = useStore(connectModel.store);
  const isAsking = test.state === 'asking';
  return (
    <div className="model-test">
      <div className="connect-model-buttons">
        <BusyButton variant="default" isBusy={isAsking} onPress={() => void connectModel.test()}>
          {t('test')}
        </BusyButton>
        {isAsking ? <Elapsed /> : <span className="quiet">{t('testHelp')}</span>}
      </div>
      <div role="status">
        {isAsking && <span className="visually-hidden">{t('asking')}</span>}
        {test.state === 'answered' && <TestResult result={test.result} />}
      </div>
      <FailureAlert failure={test.state === 'failed' ? test.failure : null} uncertain={t('testUncertain')} />
    </div>
  );
}

function Elapsed(): JSX.Element {
  const { t, i18n } = useTranslation('models');
  const nowMs = useNow();
  const [startedAtMs] = useState(() => Date.now());
  const elapsed = durationWords(i18n.language, Math.max(0, Math.floor((nowMs - startedAtMs) / 1_000)) * 1_000);
  // Read out every second this would drown everything else.
  return <span aria-hidden>{t('askingSince', { elapsed })}</span>;
}

function TestResult({ result }: { result: ModelTestView }): JSX.Element {
  const { t, i18n } = useTranslation('models');
  if (!result.reached) {
    return (
      <Alert color="red" variant="light" title={t('testFailed')}>
        <p className="sentence">
          <EscapedText text={result.sentence} />
        </p>
        {result.detail && (
          <p className="sentence">
            {t('serverSaid')} <EscapedText text={result.detail} />
          </p>
        )}
        <p className="sentence">{t('saveAnyway')}</p>
      </Alert>
    );
  }
  const duration = durationWords(i18n.language, result.durationMs);
  return (
    <Alert color={result.callsTools ? 'green' : 'yellow'} variant="light">
      <p className="sentence">{t(result.callsTools ? 'answersWithTools' : 'answersWithoutTools', { duration })}</p>
      {result.answer && (
        <p className="sentence">
          {t('itSaid')} <EscapedText text={result.answer} />
        </p>
      )}
    </Alert>
  );
}

import { Alert, Textarea } from '@mantine/core';
import { useRef, type FormEvent, type JSX, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Refusal } from '../../../src-shared/refusals.ts';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { useFocusFirstProblem } from '../../components/use-focus-first-problem.ts';
import { useGoOn } from '../../components/use-go-on.ts';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import { ConfigurationChoice } from './configuration-choice.tsx';
import { ExampleButton } from './example-button.tsx';
import { RunExtras } from './run-extras.tsx';
import type { StartRunFields } from './start-run-fields.ts';
import type { StartRunStore } from './start-run-store.ts';

/** The form itself; it keeps every entry whatever comes of a try. */
export function StartRunForm({
  startRun,
  configurations,
}: {
  startRun: StartRunStore;
  configurations: ConfigurationView[];
}): JSX.Element {
  const { t } = useTranslation('startRun');
  const { t: state } = useTranslation('state');
  const form = useRef<HTMLFormElement>(null);
  const { fields, problems, refusedTimes, failure, isStarting, isDraftKept } = useStore(startRun.store);
  const { fieldSentence } = useRefusalSentences();
  const start = useStart(startRun);
  useFocusFirstProblem(form, refusedTimes);
  const problemOf = (field: keyof StartRunFields): string | undefined => {
    const problem = problems.find((each) => each.field === field);
    return problem && fieldSentence(problem);
  };
  return (
    <form ref={form} noValidate className="start-run-form" onSubmit={start.onSubmit} onKeyDown={start.onKeyDown}>
      <ConfigurationChoice startRun={startRun} configurations={configurations} error={problemOf('configurationId')} />
      <div>
        <Textarea
          label={t('request')}
          description={t('requestHelp')}
          required
          withAsterisk={false}
          rows={7}
          resize="vertical"
          value={fields.prompt}
          error={problemOf('prompt')}
          onChange={(event) => startRun.change('prompt', event.currentTarget.value)}
        />
        <ExampleButton startRun={startRun} configurations={configurations} />
      </div>
      <RunExtras startRun={startRun} problemOf={problemOf} />
      {!isDraftKept && (
        <Alert color="yellow" role="status">
          {state('draftNotKept')}
        </Alert>
      )}
      <FailureAlert failure={failure} sentence={useStartSentence()} uncertain={t('uncertain')} />
      <div className="start-run-buttons">
        <BusyButton type="submit" isBusy={isStarting}>
          {t('start')}
        </BusyButton>
        <span className="quiet">{t('keys')}</span>
      </div>
    </form>
  );
}

/** Starting by button, by Enter in a line and by Ctrl or Cmd with Enter anywhere in the form. */
function useStart(startRun: StartRunStore): {
  onSubmit(event: FormEvent): void;
  onKeyDown(event: KeyboardEvent): void;
} {
  const goOn = useGoOn();
  async function start(): Promise<void> {
    const runId = await startRun.start();
    if (runId !== null) goOn(`/runs/${encodeURIComponent(runId)}`);
  }
  return {
    onSubmit(event) {
      event.preventDefault();
      void start();
    },
    onKeyDown(event) {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void start();
    },
  };
}

/** Sentences for refusals that elsewhere speak of a run there is already. */
function useStartSentence(): (refusal: Refusal) => string | null {
  const { t } = useTranslation('startRun');
  return (refusal) => {
    if (refusal.kind === 'configuration_gone') return t('configurationGone');
    if (refusal.kind === 'configuration_inactive')
      return t('configurationInactive', { configuration: refusal.configuration });
    return null;
  };
}

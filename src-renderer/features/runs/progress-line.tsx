import { Loader } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../../src-shared/views/run-view.ts';
import { createHealth } from '../../api/health.ts';
import { useResource } from '../../api/use-resource.ts';
import { ageWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';

/** What the run does right now and since when. Empty once it has ended or waits for a person. */
export function ProgressLine({ run, sinceMs }: { run: RunView; sinceMs: number }): JSX.Element | null {
  const { t, i18n } = useTranslation('run');
  const nowMs = useNow();
  const { value: health } = useResource(createHealth);
  // A pause holds every queued run, also one that no worker has seen since.
  const hold = run.status === 'queued' && health?.paused ? 'paused' : run.hold;
  if (run.status !== 'queued' && run.status !== 'running') return null;
  const age = ageWords(i18n.language, sinceMs, nowMs);
  return (
    <p className="progress-line">
      {hold === '' && <Loader size="xs" aria-hidden />} {progressWords()} <span className="quiet">{age}</span>
    </p>
  );

  function progressWords(): string {
    if (hold !== '') return t(`progress.${hold}`);
    if (run.status === 'running') return t(run.phase === '' ? 'progress.working' : `progress.${run.phase}`);
    if (run.nextAttemptAtMs <= nowMs) return t('progress.queued');
    return t('progress.later', { wait: ageWords(i18n.language, nowMs, run.nextAttemptAtMs) });
  }
}

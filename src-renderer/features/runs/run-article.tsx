import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunDetailView } from '../../../src-shared/views/run-detail-view.ts';
import type { RunEventView } from '../../../src-shared/views/run-event-view.ts';
import { useResource } from '../../api/use-resource.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Loaded } from '../../components/load-state.tsx';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { momentWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';
import { CancelRun } from './cancel-run.tsx';
import { decisionOutcome } from './event-facts.ts';
import { ProgressLine } from './progress-line.tsx';
import { RetryRun } from './retry-run.tsx';
import { createRunEvents } from './run-events.ts';
import { Timeline } from './timeline.tsx';
import { WithdrawBar } from './withdraw-bar.tsx';
import './runs.css';

/** A run that does not wait for a person: how it stands, what it came to, what happened. */
export function RunArticle({ detail }: { detail: RunDetailView }): JSX.Element {
  const { t } = useTranslation('run');
  const { t: word } = useTranslation('runWords');
  const { run } = detail;
  const events = useResource(createRunEvents, run.runId);
  const nowMs = useNow();
  return (
    <article aria-label={t('run')} tabIndex={-1} className="run-article">
      <header className="run-head">
        <h2>{plainLine(run.label) || word('unlabelled')}</h2>
        <StatusBadge status={run.status} />
        {detail.mayCancel && <CancelRun runId={run.runId} />}
      </header>
      <Facts detail={detail} />
      {detail.withdrawUntilMs > 0 && <WithdrawBar runId={run.runId} untilMs={detail.withdrawUntilMs} />}
      {detail.withdrawUntilMs <= nowMs && (
        <ProgressLine run={run} sinceMs={events.value?.at(-1)?.atMs ?? run.createdAtMs} />
      )}
      {detail.mayRetry && <RetryRun runId={run.runId} />}
      {detail.withdrawUntilMs <= nowMs && events.value && (
        <Outcome events={events.value} isQueued={run.status === 'queued'} />
      )}
      <Result detail={detail} />
      <h3>{t('happened')}</h3>
      <Loaded {...events}>{(list) => <Timeline events={list} nowMs={nowMs} />}</Loaded>
    </article>
  );
}

function Facts({ detail: { run, initiatorName } }: { detail: RunDetailView }): JSX.Element {
  const { t, i18n } = useTranslation('run');
  const { t: word } = useTranslation('runWords');
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <ul className="facts">
      <li>{t('startedBy', { name: plainLine(initiatorName) || word('nobody') })}</li>
      <li>{t('at', { moment: momentWords(i18n.language, run.createdAtMs, useNow()) })}</li>
      <li>{t('configuration', { name: plainLine(run.configuration) })}</li>
      <li>{t('rounds', { rounds: run.rounds, max: run.maxRounds })}</li>
      <li>{t('tokens', { input: number.format(run.inputTokens), output: number.format(run.outputTokens) })}</li>
      <Cost run={run} />
      {run.isTruncated && <li>{t('truncated')}</li>}
    </ul>
  );
}

/** Never a sum that looks exact while part of it is not known; nothing of a run that was free or asked nobody yet. */
function Cost({ run: { costMicros, unpricedAnswers } }: Pick<RunDetailView, 'run'>): JSX.Element | null {
  const { t, i18n } = useTranslation('run');
  if (costMicros === null) return unpricedAnswers > 0 ? <li>{t('costUnknown')}</li> : null;
  if (costMicros === 0 && unpricedAnswers === 0) return null;
  const cost = new Intl.NumberFormat(i18n.language).format(costMicros / 1_000_000);
  return <li>{t(unpricedAnswers > 0 ? 'costAtLeast' : 'cost', { cost })}</li>;
}

/** The newest decision and what really came of it. */
function Outcome({ events, isQueued }: { events: RunEventView[]; isQueued: boolean }): JSX.Element | null {
  const { t } = useTranslation('run');
  const { t: word } = useTranslation('runWords');
  const outcome = decisionOutcome(events);
  if (!outcome) return null;
  const by = ('by' in outcome && plainLine(outcome.by)) || word('nobody');
  const target = 'target' in outcome ? plainLine(outcome.target) : '';
  const tool = 'tool' in outcome ? plainLine(outcome.tool) : '';
  return (
    <p role="status" className="outcome">
      {t(outcome.kind === 'approved' && isQueued ? 'outcome.waits' : `outcome.${outcome.kind}`, { by, target, tool })}
    </p>
  );
}

/** What the run came to, in words. Nothing while it goes on. */
function Result({ detail }: { detail: RunDetailView }): JSX.Element | null {
  const { t } = useTranslation('run');
  if (detail.run.finishedAtMs === 0) return null;
  return (
    <>
      {detail.failure && (
        <section className="result">
          <h3>{t('wrong')}</h3>
          <p>
            <EscapedText text={detail.failure} />
          </p>
        </section>
      )}
      {(detail.answer || !detail.failure) && (
        <section className="result">
          <h3>{t('answer')}</h3>
          <p>{detail.answer ? <EscapedText text={detail.answer} /> : <span className="quiet">{t('noAnswer')}</span>}</p>
        </section>
      )}
    </>
  );
}

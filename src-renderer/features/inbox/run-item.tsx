import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ListedRunView } from '../../../src-shared/views/listed-run-view.ts';
import type { RunView } from '../../../src-shared/views/run-view.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { AttributionMark } from '../../components/attribution-mark.tsx';
import { Expiry } from '../../components/expiry.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ageWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';

/** One run of the list: what it is, what it wants to touch, since when. */
export function RunItem({
  run,
  isCurrent,
  onOpen,
}: {
  run: ListedRunView;
  isCurrent: boolean;
  onOpen(): void;
}): JSX.Element {
  const { t } = useTranslation('runWords');
  const label = plainLine(run.label) || t('unlabelled');
  const target = plainLine(run.pendingTarget);
  return (
    <li className="run-item">
      <Link
        href={`/runs/${encodeURIComponent(run.runId)}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onOpen}
      >
        <span className="run-item-label" title={label}>
          {label}
        </span>{' '}
        {run.pendingTool && (
          <span className="run-item-target" title={`${plainLine(run.pendingTool)} ${target}`}>
            {plainLine(run.pendingTool)} {target}
          </span>
        )}{' '}
        <span className="run-item-facts">
          {run.status !== 'waiting_for_approval' && <StatusBadge status={run.status} />} <Age run={run} />{' '}
          {run.expiresAtMs > 0 && <Expiry atMs={run.expiresAtMs} />}{' '}
          {run.attribution && <AttributionMark attribution={run.attribution} />}{' '}
          <span className="run-item-configuration">{plainLine(run.configuration)}</span>
        </span>
      </Link>
    </li>
  );
}

function Age({ run }: { run: RunView }): JSX.Element {
  const { t, i18n } = useTranslation('inbox');
  const nowMs = useNow();
  if (run.finishedAtMs > 0) return <span>{t('ended', { age: ageWords(i18n.language, run.finishedAtMs, nowMs) })}</span>;
  const sinceMs = run.waitingSinceMs > 0 ? run.waitingSinceMs : run.createdAtMs;
  return <span>{t('since', { age: ageWords(i18n.language, sinceMs, nowMs) })}</span>;
}

import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { InboxView } from '../../../src-shared/views/inbox-view.ts';
import type { ListedRunView } from '../../../src-shared/views/listed-run-view.ts';
import { RunItem } from './run-item.tsx';
import { UncertainWrites } from './uncertain-writes.tsx';
import './inbox.css';

export interface RunListProps {
  inbox: InboxView;
  runId: string | null;
  /** A person opened this run by hand. */
  onOpen(runId: string): void;
  onShowMore(): void;
}

/** What needs a person first, then what works, then what has ended. */
export function RunList({ inbox, runId, onOpen, onShowMore }: RunListProps): JSX.Element {
  const { t } = useTranslation('inbox');
  const { counts } = inbox;
  const waitingCount = counts.waiting_for_approval + counts.waiting_for_input;
  const hidden = waitingCount - inbox.waiting.length;
  const items = (runs: ListedRunView[]): JSX.Element[] =>
    runs.map((run) => (
      <RunItem key={run.runId} run={run} isCurrent={run.runId === runId} onOpen={() => onOpen(run.runId)} />
    ));
  const isEmpty = inbox.waiting.length + inbox.active.length + inbox.recent.length === 0;
  return (
    <>
      <UncertainWrites writes={inbox.uncertainWrites} />
      <Group title={t('needsYou')} shown={inbox.waiting.length} all={waitingCount}>
        {items(inbox.waiting)}
      </Group>
      {hidden > 0 && (
        <Button size="compact-sm" variant="default" m="xs" onClick={onShowMore}>
          {t('showMore', { count: hidden })}
        </Button>
      )}
      {waitingCount === 0 && (
        <p className="list-empty">
          {t(isEmpty ? 'nothingYet' : 'nothing')} <Link href="/start">{t('startOne')}</Link>
        </p>
      )}
      {inbox.active.length > 0 && (
        <Group title={t('working')} shown={inbox.active.length} all={counts.queued + counts.running}>
          {items(inbox.active)}
        </Group>
      )}
      {inbox.recent.length > 0 && (
        <Group
          title={t('finished')}
          shown={inbox.recent.length}
          all={counts.completed + counts.failed + counts.cancelled}
        >
          {items(inbox.recent)}
        </Group>
      )}
      <p className="list-keys quiet">{t('keys')}</p>
    </>
  );
}

function Group({
  title,
  shown,
  all,
  children,
}: {
  title: string;
  shown: number;
  all: number;
  children: ReactNode;
}): JSX.Element {
  const { t } = useTranslation('inbox');
  return (
    <>
      <h2 className="list-heading">
        {title} <span className="quiet">{shown < all ? t('counted', { shown, all }) : all}</span>
      </h2>
      <ul className="run-items">{children}</ul>
    </>
  );
}

import { useCallback, useRef, useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useResource } from '../api/use-resource.ts';
import { Loaded } from '../components/load-state.tsx';
import { useSingleKeys } from '../components/use-single-keys.ts';
import { createInbox, listedRuns, neighbourOf, nextUndecided } from '../features/inbox/inbox-resource.ts';
import { NewCards } from '../features/inbox/new-cards.tsx';
import { RunList } from '../features/inbox/run-list.tsx';
import { RunPane } from './run-pane.tsx';
import './runs-screen.css';

const FIRST_LIMIT = 200;
const LAST_LIMIT = 10_000;

/** The list of runs and, beside it, the one that is open: its card while it waits, else how it stands. */
export function RunsScreen({ runId }: { runId: string | null }): JSX.Element {
  const { t } = useTranslation('inbox');
  const [limit, setLimit] = useState(FIRST_LIMIT);
  const inbox = useResource(createInbox, limit);
  const listRef = useRef<HTMLElement>(null);
  // Only what a person opened by hand takes the focus; a deep link or a new card never does.
  const [focusedRunId, setFocusedRunId] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const open = (run: { runId: string } | null, takesFocus: boolean): void => {
    if (!run) return;
    setFocusedRunId(takesFocus ? run.runId : null);
    navigate(`/runs/${encodeURIComponent(run.runId)}`);
    if (!takesFocus) requestAnimationFrame(() => focusCurrentItem(listRef.current));
  };
  const step = (steps: 1 | -1): void => {
    if (inbox.value) open(neighbourOf(listedRuns(inbox.value), runId, steps), false);
  };
  useSingleKeys({
    j: () => step(1),
    k: () => step(-1),
    e: () => inbox.value && open(nextUndecided(inbox.value, runId), true),
  });
  const forgetFocus = useCallback(() => setFocusedRunId(null), []);
  return (
    <div className={runId === null ? 'runs-screen' : 'runs-screen runs-screen-open'}>
      {/* Outside the list, which gives way to an open run where there is no room for both. */}
      <h1 className="visually-hidden">{t('title')}</h1>
      <section aria-label={t('runs')} className="runs-list" ref={listRef}>
        <Loaded {...inbox}>
          {(view) => (
            <>
              <NewCards waiting={view.waiting} />
              <RunList
                inbox={view}
                runId={runId}
                onOpen={(opened) => setFocusedRunId(opened)}
                onShowMore={() => setLimit((last) => Math.min(last * 10, LAST_LIMIT))}
              />
            </>
          )}
        </Loaded>
      </section>
      {runId === null ? (
        <p className="runs-choose quiet">{t('choose')}</p>
      ) : (
        <RunPane key={runId} runId={runId} takesFocus={focusedRunId === runId} onFocused={forgetFocus} />
      )}
    </div>
  );
}

function focusCurrentItem(list: HTMLElement | null): void {
  const item = list?.querySelector<HTMLElement>('[aria-current="true"]');
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: 'nearest' });
}

import { useEffect, useRef, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { RunDetailView } from '../../src-shared/views/run-detail-view.ts';
import { createRunDetail } from '../api/run-detail.ts';
import { useResource } from '../api/use-resource.ts';
import { Loaded } from '../components/load-state.tsx';
import { DecisionCard } from '../features/card/decision-card.tsx';
import { RunArticle } from '../features/runs/run-article.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

export interface RunPaneProps {
  runId: string;
  /** A person opened it by hand: the focus goes to it as soon as it is there. */
  takesFocus: boolean;
  onFocused(): void;
}

/** A run that waits for a person is its card. */
const WAITING = new Set<RunDetailView['run']['status'] | undefined>(['waiting_for_approval', 'waiting_for_input']);

/** The open run. Which form it has follows from its row alone, so every window shows the same. */
export function RunPane({ runId, takesFocus, onFocused }: RunPaneProps): JSX.Element {
  const { t } = useTranslation('inbox');
  const detail = useResource(createRunDetail, runId);
  const pane = useRef<HTMLElement>(null);
  useKeptFocus(pane, WAITING.has(detail.value?.run.status) ? 'card' : 'run');
  useEffect(() => {
    if (takesFocus && pane.current) return focusArticle(pane.current, onFocused);
    return undefined;
  }, [takesFocus, onFocused]);
  return (
    <section className="run-pane" aria-label={t('title')} ref={pane}>
      <Link href="/" className="run-pane-back">
        {t('back')}
      </Link>
      <Loaded {...detail}>
        {(view) => (view === null ? <NoSuchRun /> : <OpenRun detail={view} reload={detail.reload} />)}
      </Loaded>
    </section>
  );
}

function OpenRun({ detail, reload }: { detail: RunDetailView; reload(): Promise<void> }): JSX.Element {
  return WAITING.has(detail.run.status) ? (
    <DecisionCard detail={detail} onDecided={() => void reload()} />
  ) : (
    <RunArticle detail={detail} />
  );
}

function NoSuchRun(): JSX.Element {
  const { t } = useTranslation('inbox');
  return (
    <div className="screen">
      <h2>{t('noSuchRun')}</h2>
      <Link href="/">{t('back')}</Link>
    </div>
  );
}

/** Focuses the article once it is rendered, which may take a load; anything else the person does first wins. */
function focusArticle(pane: HTMLElement, onFocused: () => void): () => void {
  const focus = (): boolean => {
    const article = pane.querySelector('article');
    article?.focus();
    if (article) onFocused();
    return article !== null;
  };
  if (focus()) return () => undefined;
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect();
  });
  observer.observe(pane, { childList: true, subtree: true });
  return () => observer.disconnect();
}

import { useEffect, useRef, useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunView } from '../../../src-shared/views/run-view.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';

/** Tells a screen reader, politely, that something new waits; what was there at first is no news. */
export function NewCards({ waiting }: { waiting: RunView[] }): JSX.Element {
  const { t } = useTranslation('inbox');
  const known = useRef<Set<string> | null>(null);
  const [news, setNews] = useState('');
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map((run) => run.runId));
    if (!before) return;
    const arrived = waiting.filter((run) => !before.has(run.runId));
    if (arrived.length === 0) return;
    setNews(
      arrived
        .map((run) => t('arrived', { tool: plainLine(run.pendingTool), target: plainLine(run.pendingTarget) }))
        .join('. '),
    );
  }, [waiting, t]);
  return (
    <p aria-live="polite" className="visually-hidden">
      {news}
    </p>
  );
}

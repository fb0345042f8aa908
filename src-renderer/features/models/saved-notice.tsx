import { useEffect, useRef, useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';

interface Saved {
  id: string;
  name: string;
  isNew: boolean;
}

/** What the form hands to the list as the state of its address: shown once, not kept. */
export const savedState = ({ id, identifier }: ConfigurationView, isNew: boolean): { saved: Saved } => ({
  saved: { id, name: identifier, isNew },
});

function savedOf(state: unknown): Saved | null {
  return ((state ?? {}) as { saved?: Saved }).saved ?? null;
}

/** Says that a model was connected or changed, and what to do with it. Takes the focus, for the form that had it is gone. */
export function SavedNotice(): JSX.Element | null {
  const { t } = useTranslation('models');
  const [saved] = useState(() => savedOf(history.state));
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!saved) return;
    history.replaceState(null, '');
    notice.current?.focus();
  }, [saved]);
  if (!saved) return null;
  return (
    <p ref={notice} role="status" tabIndex={-1} className="notice saved-notice">
      {t(saved.isNew ? 'connected' : 'changed', { name: plainLine(saved.name) })}{' '}
      <Link href={`/start/${saved.id}`}>{t('startRun')}</Link>
    </p>
  );
}

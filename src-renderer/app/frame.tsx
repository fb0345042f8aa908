import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useClient } from '../api/client-context.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { HostNotices } from './host-notices.tsx';
import { Rail } from './rail.tsx';
import { Screens } from './screens.tsx';
import { StatusBar } from './status-bar.tsx';
import './frame.css';

/** The console around every screen: rail, screen, status bar. */
export function Frame(): JSX.Element {
  const { t } = useTranslation('frame');
  const [path] = useLocation();
  const connection = useStore(useClient().connection);
  return (
    <div className="frame">
      <button type="button" className="skip-link" onClick={() => document.querySelector<HTMLElement>('main')?.focus()}>
        {t('skipToContent')}
      </button>
      <div className="frame-banners">
        <ConnectionBanner />
        {connection !== 'signed_out' && <HostNotices />}
      </div>
      <Rail />
      <main tabIndex={-1}>
        {/* Another address is another try: a broken screen does not stay broken. */}
        <ErrorBoundary key={path.split('/')[1]}>
          {/* Nothing could be loaded; the banner alone says what helps. */}
          {connection !== 'signed_out' && <Screens />}
        </ErrorBoundary>
      </main>
      <StatusBar />
    </div>
  );
}

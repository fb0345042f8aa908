import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Route, Switch } from 'wouter';
import { RunsScreen } from './runs-screen.tsx';
import { ConnectModelScreen } from '../features/models/connect-model-screen.tsx';
import { ModelsScreen } from '../features/models/models-screen.tsx';
import { StartRunScreen } from '../features/runs/start-run-screen.tsx';
import { HomeScreen } from './home-screen.tsx';

/** Which address shows which screen. Addresses only navigate; none decides anything. */
export function Screens(): JSX.Element {
  return (
    <Switch>
      <Route path="/">
        <HomeScreen />
      </Route>
      <Route path="/runs/:runId">{({ runId }) => <RunsScreen runId={runId} />}</Route>
      <Route path="/start/:configurationId?">
        {({ configurationId }) => <StartRunScreen configurationId={configurationId ?? null} />}
      </Route>
      <Route path="/models">
        <ModelsScreen />
      </Route>
      <Route path="/models/new">
        <ConnectModelScreen configurationId={null} />
      </Route>
      <Route path="/models/:configurationId">
        {({ configurationId }) => <ConnectModelScreen key={configurationId} configurationId={configurationId} />}
      </Route>
      <Route>
        <NoSuchScreen />
      </Route>
    </Switch>
  );
}

function NoSuchScreen(): JSX.Element {
  const { t } = useTranslation('frame');
  return (
    <div className="screen">
      <h1>{t('notFound')}</h1>
      <p>{t('notFoundText')}</p>
      <Link href="/">{t('toInbox')}</Link>
    </div>
  );
}

import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { createConfigurations } from '../../api/configurations.ts';
import { createSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { Loaded } from '../../components/load-state.tsx';
import { ModelCard } from './model-card.tsx';
import { SavedNotice } from './saved-notice.tsx';
import './models.css';

/** Every configuration: which model, where, and what its runs may use. */
export function ModelsScreen(): JSX.Element {
  const { t } = useTranslation('models');
  const configurations = useResource(createConfigurations);
  const { value: session } = useResource(createSession);
  const mayChange = session?.isAdmin === true;
  return (
    <div className="screen models">
      <div className="models-head">
        <h1>{t('title')}</h1>
        {mayChange && (
          <Button component={Link} href="/models/new">
            {t('connectModel')}
          </Button>
        )}
      </div>
      {session?.isAdmin === false && <p className="quiet">{t('onlyAdministrators')}</p>}
      <SavedNotice />
      <Loaded {...configurations}>
        {(list) => (list.length === 0 ? <NoModels /> : <ModelList configurations={list} mayChange={mayChange} />)}
      </Loaded>
    </div>
  );
}

function ModelList({
  configurations,
  mayChange,
}: {
  configurations: ConfigurationView[];
  mayChange: boolean;
}): JSX.Element {
  return (
    <ul className="model-list">
      {configurations.map((configuration) => (
        <ModelCard key={configuration.id} configuration={configuration} mayChange={mayChange} />
      ))}
    </ul>
  );
}

function NoModels(): JSX.Element {
  const { t } = useTranslation('models');
  return (
    <p>
      {t('none')} <Link href="/">{t('firstSteps')}</Link>
    </p>
  );
}

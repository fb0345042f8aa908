import { Badge, Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { plainLine } from '../../../src-shared/plain-text.ts';
import type { Place } from './connect-model-fields.ts';

/** One configuration of the list. The scripted ones of the sample can be used and not changed. */
export function ModelCard({
  configuration,
  mayChange,
}: {
  configuration: ConfigurationView;
  mayChange: boolean;
}): JSX.Element {
  const { t } = useTranslation('models');
  const { id, identifier, isActive, model, databases, workspaces, requiresSecondApprover, withheld } = configuration;
  const name = plainLine(identifier);
  return (
    <li className="model-card">
      <div className="models-head">
        <h2>
          <EscapedText text={identifier} />
        </h2>
        {model.kind === 'scripted' && <Badge variant="default">{t('sample')}</Badge>}
        {!isActive && <Badge variant="default">{t('switchedOff')}</Badge>}
        <span className="model-actions">
          {mayChange && model.kind === 'openai_compatible' && (
            <Button component={Link} href={`/models/${id}`} size="compact-sm" variant="default">
              {t('change')} <span className="visually-hidden">{name}</span>
            </Button>
          )}
          {isActive && (
            <Button component={Link} href={`/start/${id}`} size="compact-sm" variant="default">
              {t('startRun')} <span className="visually-hidden">{t('withModel', { name })}</span>
            </Button>
          )}
        </span>
      </div>
      <dl className="model-facts">
        <ModelFacts model={model} />
        <Fact word={t('databases')}>
          <Places places={databases} />
        </Fact>
        <Fact word={t('workspaces')}>
          <Places places={workspaces} />
        </Fact>
        {withheld.length > 0 && (
          <Fact word={t('zone')}>
            {t('zoneWithholds', { command: `configuration ${name} --set trustZone=externalEu` })}
          </Fact>
        )}
        {requiresSecondApprover && <Fact word={t('approval')}>{t('secondPerson')}</Fact>}
      </dl>
    </li>
  );
}

function ModelFacts({ model }: Pick<ConfigurationView, 'model'>): JSX.Element {
  const { t } = useTranslation('models');
  if (model.kind === 'scripted') return <Fact word={t('model')}>{t('scripted', { name: plainLine(model.name) })}</Fact>;
  return (
    <>
      <Fact word={t('model')}>
        <EscapedText text={model.modelId} />
      </Fact>
      <Fact word={t('address')}>
        <EscapedText text={model.baseUrl} />
      </Fact>
      <Fact word={t('keyFact')}>{t(model.hasKey ? 'keyIsStored' : 'noKey')}</Fact>
    </>
  );
}

function Fact({ word, children }: { word: string; children: ReactNode }): JSX.Element {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Places({ places }: { places: Place[] }): JSX.Element {
  const { t } = useTranslation('models');
  if (places.length === 0) return <span className="quiet">{t('noPlaces')}</span>;
  return (
    <ul>
      {places.map(({ name, path }) => (
        <li key={name}>
          <EscapedText text={name} />{' '}
          <span className="quiet">
            <EscapedText text={path} />
          </span>
        </li>
      ))}
    </ul>
  );
}

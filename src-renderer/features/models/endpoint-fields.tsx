import { Button } from '@mantine/core';
import { useId, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ConnectModelStore } from './connect-model-store.ts';
import { LineField } from './line-field.tsx';
import { isReadableOnTheWay, MODEL_SERVERS } from './model-servers.ts';

/** Where the model is and what it is called there. */
export function EndpointFields({ connectModel }: { connectModel: ConnectModelStore }): JSX.Element {
  const { t } = useTranslation('models');
  const { fields } = useStore(connectModel.store);
  const server = MODEL_SERVERS.find(({ baseUrl }) => baseUrl === fields.baseUrl.trim());
  return (
    <>
      <div>
        <LineField connectModel={connectModel} field="baseUrl" label={t('baseUrl')} description={t('baseUrlHelp')} />
        <UsualAddresses connectModel={connectModel} />
        {server && <p className="field-note">{t(server.needs, { server: server.name })}</p>}
        {isReadableOnTheWay(fields.baseUrl) && <p className="field-note field-warning">{t('readableOnTheWay')}</p>}
      </div>
      <LineField connectModel={connectModel} field="modelId" label={t('model')} description={t('modelHelp')} />
    </>
  );
}

function UsualAddresses({ connectModel }: { connectModel: ConnectModelStore }): JSX.Element {
  const { t } = useTranslation('models');
  const label = useId();
  return (
    <div role="group" aria-labelledby={label} className="usual-addresses">
      <span id={label} className="quiet">
        {t('usualAddresses')}
      </span>
      {MODEL_SERVERS.map(({ name, baseUrl }) => (
        <Button
          key={name}
          size="compact-sm"
          variant="default"
          title={baseUrl}
          onClick={() => connectModel.change('baseUrl', baseUrl)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

import { Button } from '@mantine/core';
import { useState, type JSX, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { useClient } from '../../api/client-context.ts';
import { createConfigurations } from '../../api/configurations.ts';
import { createSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { createDrafts } from '../../components/drafts.ts';
import { Loaded } from '../../components/load-state.tsx';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { parseConnectModelDraft } from './connect-model-fields.ts';
import { ConnectModelForm } from './connect-model-form.tsx';
import { createConnectModelStore } from './connect-model-store.ts';
import './models.css';

/**
 * Connects a model, or changes one. Who may not do that, and an address that names
 * nothing that can be changed, is told before anything is typed.
 *
 * @param configurationId  null = a new one
 */
export function ConnectModelScreen({ configurationId }: { configurationId: string | null }): JSX.Element {
  const session = useResource(createSession);
  const configurations = useResource(createConfigurations);
  return (
    <div className="screen connect-model">
      <Loaded {...session}>
        {({ isAdmin }) => (
          <Loaded {...configurations}>
            {(list) => (
              <Subject
                isAdmin={isAdmin}
                isNew={configurationId === null}
                stored={list.find(({ id }) => id === configurationId) ?? null}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

function Subject({
  isAdmin,
  isNew,
  stored,
}: {
  isAdmin: boolean;
  isNew: boolean;
  stored: ConfigurationView | null;
}): JSX.Element {
  const { t } = useTranslation('models');
  const title = stored ? t('changeName', { name: plainLine(stored.identifier) }) : t('connectModel');
  if (!isNew && !stored) return <Instead title={t('gone')}>{t('goneText')}</Instead>;
  if (stored?.model.kind === 'scripted') return <Instead title={title}>{t('scriptedText')}</Instead>;
  if (!isAdmin) return <Instead title={title}>{t('onlyAdministrators')}</Instead>;
  return (
    <>
      <h1>{title}</h1>
      <Form stored={stored} />
    </>
  );
}

/** The store belongs to what was there when the screen opened: a change from elsewhere must not touch what is typed. */
function Form({ stored }: { stored: ConfigurationView | null }): JSX.Element {
  const client = useClient();
  const [connectModel] = useState(() => {
    const key = `countersign.connectModel.${stored?.id ?? 'new'}`;
    return createConnectModelStore(client, createDrafts(sessionStorage, key, parseConnectModelDraft), stored);
  });
  return <ConnectModelForm connectModel={connectModel} now={stored} />;
}

function Instead({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  const { t } = useTranslation('models');
  return (
    <>
      <h1>{title}</h1>
      <p>{children}</p>
      <Button component={Link} href="/models" variant="default">
        {t('toModels')}
      </Button>
    </>
  );
}

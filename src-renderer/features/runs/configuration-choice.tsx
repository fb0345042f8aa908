import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';
import type { StartRunStore } from './start-run-store.ts';

/** Which configuration the run uses, and in a line what that means. A switched-off one is shown and cannot be chosen. */
export function ConfigurationChoice({
  startRun,
  configurations,
  error,
}: {
  startRun: StartRunStore;
  configurations: ConfigurationView[];
  error: string | undefined;
}): JSX.Element {
  const { t } = useTranslation('startRun');
  const { fields, isChoiceLost } = useStore(startRun.store);
  const chosen = configurations.find(({ id }) => id === fields.configurationId);
  return (
    <div>
      <NativeSelect
        label={t('configuration')}
        required
        withAsterisk={false}
        value={fields.configurationId}
        error={error ?? (isChoiceLost ? t('choiceLost') : undefined)}
        onChange={(event) => startRun.change('configurationId', event.currentTarget.value)}
        data={[
          { value: '', label: t('choose'), disabled: true },
          ...configurations.map(({ id, identifier, isActive }) => ({
            value: id,
            label: isActive ? plainLine(identifier) : t('switchedOff', { name: plainLine(identifier) }),
            disabled: !isActive,
          })),
        ]}
      />
      {chosen && <Meaning configuration={chosen} />}
    </div>
  );
}

function Meaning({ configuration }: { configuration: ConfigurationView }): JSX.Element {
  const { t, i18n } = useTranslation('startRun');
  const { model, databases, workspaces, requiresSecondApprover, withheld } = configuration;
  const names = [
    ...databases.map(({ name }) => t('database', { name: plainLine(name) })),
    ...workspaces.map(({ name }) => t('folder', { name: plainLine(name) })),
  ];
  const list = new Intl.ListFormat(i18n.language).format(names);
  return (
    <p className="start-run-meaning quiet">
      {model.kind === 'scripted'
        ? t('scripted')
        : t('asks', { model: plainLine(model.modelId), address: plainLine(model.baseUrl) })}{' '}
      {names.length === 0 ? t('reachesNothing') : t('reaches', { list })}
      {withheld.length > 0 && names.length > 0 && ` ${t('withheld')}`}
      {requiresSecondApprover && ` ${t('secondPerson')}`}
    </p>
  );
}

import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import type { StartRunStore } from './start-run-store.ts';

/** Offers what the script of the chosen configuration has an answer for. Empty for any other. */
export function ExampleButton({
  startRun,
  configurations,
}: {
  startRun: StartRunStore;
  configurations: ConfigurationView[];
}): JSX.Element | null {
  const { t } = useTranslation('startRun');
  const { fields, isReplacing } = useStore(startRun.store);
  const model = configurations.find(({ id }) => id === fields.configurationId)?.model;
  if (model?.kind !== 'scripted' || model.example === '') return null;
  return (
    <div className="start-run-example">
      <Button size="compact-sm" variant="default" onClick={() => startRun.takeExample(model.example)}>
        {t(isReplacing ? 'replaceByExample' : 'takeExample')}
      </Button>
      <span role="status" className="quiet">
        {isReplacing ? t('wouldReplace') : ''}
      </span>
    </div>
  );
}

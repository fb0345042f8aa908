import { Alert, Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { baseOf } from './connect-model-fields.ts';
import type { ConnectModelStore } from './connect-model-store.ts';

/** Tells entries that are not saved from what is stored, and that somebody else changed what is stored. */
export function DraftNotes({
  connectModel,
  now,
}: {
  connectModel: ConnectModelStore;
  now: ConfigurationView | null;
}): JSX.Element | null {
  const { t } = useTranslation('models');
  const { t: state } = useTranslation('state');
  const { base, stored, isDraftRestored, isDraftKept, isSaving } = useStore(connectModel.store);
  const isChangedElsewhere = stored !== null && !isSaving && baseOf(now) !== base;
  const startOver = (
    <Button size="compact-sm" variant="default" onClick={() => connectModel.startOver(now)}>
      {t(stored ? 'showStored' : 'emptyForm')}
    </Button>
  );
  if (isChangedElsewhere) {
    return (
      <Alert color="yellow" role="alert" title={t('changedElsewhere')}>
        <p className="sentence">{t('changedElsewhereText')}</p>
        {startOver}
      </Alert>
    );
  }
  if (!isDraftKept) {
    return (
      <Alert color="yellow" role="status">
        {state('draftNotKept')}
      </Alert>
    );
  }
  return isDraftRestored ? (
    <Alert color="gray" role="status">
      <p className="sentence">{t('draftRestored')}</p>
      {startOver}
    </Alert>
  ) : null;
}

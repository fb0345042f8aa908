import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { DEFAULT_ROUNDS, MAX_ROUNDS } from '../../../src-shared/run-limits.ts';
import type { StartRunFields } from './start-run-fields.ts';
import type { StartRunStore } from './start-run-store.ts';

/** What may be left empty. The rounds are a text field: a number field would change what is typed. */
export function RunExtras({
  startRun,
  problemOf,
}: {
  startRun: StartRunStore;
  problemOf: (field: keyof StartRunFields) => string | undefined;
}): JSX.Element {
  const { t } = useTranslation('startRun');
  const { fields } = useStore(startRun.store);
  return (
    <div className="start-run-pair">
      <TextInput
        label={t('label')}
        description={t('labelHelp')}
        value={fields.label}
        error={problemOf('label')}
        onChange={(event) => startRun.change('label', event.currentTarget.value)}
      />
      <TextInput
        label={t('maxRounds')}
        description={t('maxRoundsHelp', { limit: MAX_ROUNDS, usual: DEFAULT_ROUNDS })}
        inputMode="numeric"
        autoComplete="off"
        value={fields.maxRounds}
        error={problemOf('maxRounds')}
        onChange={(event) => startRun.change('maxRounds', event.currentTarget.value)}
      />
    </div>
  );
}

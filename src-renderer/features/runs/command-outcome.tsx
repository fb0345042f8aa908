import { Alert } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import type { CommandState } from './run-command.ts';

/** Why a command came to nothing. */
export function CommandOutcome({ refusal, fault }: Pick<CommandState, 'refusal' | 'fault'>): JSX.Element | null {
  const { t } = useTranslation('state');
  const { sentence } = useRefusalSentences();
  if (!refusal && !fault) return null;
  return (
    <Alert color="orange" variant="light" role="alert" my="xs">
      {refusal ? sentence(refusal) : fault && t(`fault.${fault.code}`)}
      {fault?.reference && ` ${t('reference', { reference: fault.reference })}`}
    </Alert>
  );
}

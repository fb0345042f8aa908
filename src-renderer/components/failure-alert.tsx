import { Alert } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../src-shared/refusals.ts';
import type { LoadFault } from './load-state.tsx';
import { useRefusalSentences } from './use-refusal-sentences.ts';

/** Whether the host may have done it although no answer came. */
const isUncertain = ({ code }: LoadFault): boolean => code === 'disconnected' || code === 'internal';

/** Why something a person wanted done was not done, and what to do next. Empty while nothing failed. */
export function FailureAlert({
  failure,
  sentence,
  uncertain,
  onClose,
}: {
  failure: { refusal: Refusal } | { fault: LoadFault } | null;
  /** The sentence for a refusal where the usual one does not fit this screen; null = the usual one. */
  sentence?: (refusal: Refusal) => string | null;
  /** What to look at when nobody knows whether the host did it. */
  uncertain: string;
  onClose?: () => void;
}): JSX.Element | null {
  const { t } = useTranslation('state');
  const sentences = useRefusalSentences();
  if (!failure) return null;
  const closing = onClose && { withCloseButton: true, closeButtonLabel: t('close'), onClose };
  if ('refusal' in failure) {
    return (
      <Alert color="red" variant="light" role="alert" title={t('notDone')} {...closing}>
        <p className="sentence">{sentence?.(failure.refusal) ?? sentences.sentence(failure.refusal)}</p>
      </Alert>
    );
  }
  const { fault } = failure;
  return (
    <Alert color="red" variant="light" role="alert" title={t('notDone')} {...closing}>
      <p className="sentence">{t(`fault.${fault.code}`)}</p>
      {fault.reference && <p className="sentence">{t('reference', { reference: fault.reference })}</p>}
      {isUncertain(fault) && <p className="sentence">{uncertain}</p>}
    </Alert>
  );
}

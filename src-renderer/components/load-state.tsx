import { Alert, Button, Loader } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What a component needs to know of a failed load. */
export interface LoadFault {
  code: 'disconnected' | 'signed_out' | 'unknown_channel' | 'bad_input' | 'not_allowed' | 'internal';
  reference: string;
}

/** A load that failed: what happened, where the log says more, and another try. Never an empty list. */
export function LoadFailed({
  fault,
  onRetry,
  isOutdated = false,
}: {
  fault: LoadFault;
  onRetry: () => void;
  /** Something older is still shown beside it. */
  isOutdated?: boolean;
}): JSX.Element {
  const { t } = useTranslation('state');
  return (
    <Alert color="red" variant="light" role="alert" title={t(isOutdated ? 'outdated' : 'failed')} m="sm">
      <p className="sentence">{t(`fault.${fault.code}`)}</p>
      {fault.reference && <p className="sentence">{t('reference', { reference: fault.reference })}</p>}
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('retry')}
      </Button>
    </Alert>
  );
}

/** A load that takes a moment. */
export function Loading(): JSX.Element {
  const { t } = useTranslation('state');
  return (
    <p role="status" className="loading">
      <Loader size="xs" aria-hidden /> {t('loading')}
    </p>
  );
}

/** Shows what was loaded; before that a loader, after a failure what failed. A value that could not be refreshed stays, with a word about it. */
export function Loaded<T>({
  value,
  fault,
  reload,
  children,
}: {
  value: T | undefined;
  fault: LoadFault | null;
  reload: () => unknown;
  children: (value: T) => ReactNode;
}): JSX.Element {
  if (value === undefined) return fault ? <LoadFailed fault={fault} onRetry={() => void reload()} /> : <Loading />;
  return (
    <>
      {fault && <LoadFailed fault={fault} onRetry={() => void reload()} isOutdated />}
      {children(value)}
    </>
  );
}

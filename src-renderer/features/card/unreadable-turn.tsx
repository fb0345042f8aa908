import { Button, Loader } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useTranslation } from 'react-i18next';

/** A turn that nobody can read: all that is left to do is to end the run, after one question. */
export function UnreadableTurn({
  isConnected,
  isCancelling,
  onCancel,
}: {
  isConnected: boolean;
  isCancelling: boolean;
  onCancel: () => void;
}): JSX.Element {
  const { t } = useTranslation('card');
  const [isAsking, setAsking] = useState(false);
  return (
    <div role="group" aria-label={t('actions')} className="card-bar">
      <div className="bar-words">{isAsking && <p>{t('cancelQuestion')}</p>}</div>
      <div className="bar-buttons">
        {isAsking ? (
          <>
            <Button size="xs" variant="default" onClick={() => setAsking(false)} disabled={isCancelling}>
              {t('cancelNo')}
            </Button>
            <Button
              size="xs"
              color="red"
              onClick={onCancel}
              disabled={!isConnected || isCancelling}
              rightSection={isCancelling && <Loader size={12} color="currentColor" aria-hidden />}
            >
              {t(isCancelling ? 'cancelling' : 'cancelYes')}
            </Button>
          </>
        ) : (
          <Button size="xs" variant="default" onClick={() => setAsking(true)} disabled={!isConnected}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}

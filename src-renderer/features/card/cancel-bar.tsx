import { Button, Loader } from '@mantine/core';
import { useState, type JSX, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The bar of a card that can be ended, after one question, and whatever else can be done with it. */
export function CancelBar({
  isConnected,
  isCancelling,
  onCancel,
  words,
  children,
}: {
  isConnected: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  /** Stands beside the buttons. */
  words?: ReactNode;
  /** More buttons, after the one that cancels. */
  children?: ReactNode;
}): JSX.Element {
  const { t } = useTranslation('card');
  const [isAsking, setAsking] = useState(false);
  return (
    <div role="group" aria-label={t('actions')} className="card-bar">
      <div className="bar-words">{isAsking ? <p>{t('cancelQuestion')}</p> : words}</div>
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
          <>
            <Button size="xs" variant="default" onClick={() => setAsking(true)} disabled={!isConnected}>
              {t('cancel')}
            </Button>
            {children}
          </>
        )}
      </div>
    </div>
  );
}

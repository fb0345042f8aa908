import { Alert } from '@mantine/core';
import { useMemo, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { PendingDecisionView } from '../../../src-shared/views/pending-decision-view.ts';
import type { HostFaultCode } from '../../api/host-fault.ts';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import { holdsInvisible } from './card-rules.ts';
import type { CardState } from './card-store.ts';

/** What a person has to know before they read the change. */
export function CardNotices({ card }: { card: PendingDecisionView }): JSX.Element {
  const { t } = useTranslation('card');
  const isHidingSomething = useMemo(() => holdsInvisible(card), [card]);
  const saysStale = card.calls?.some(({ isStale }) => isStale) ?? false;
  return (
    <>
      {card.unreadable && (
        <p role="note" className="card-notice">
          {t(`unreadable.${card.unreadable}`)}
        </p>
      )}
      {card.bounceCount > 0 && !saysStale && (
        <p role="note" className="card-notice">
          {t('bounced', { count: card.bounceCount })}
        </p>
      )}
      {isHidingSomething && (
        <p role="note" className="card-notice">
          {t('invisible')}
        </p>
      )}
    </>
  );
}

/** Faults after which nobody here knows whether the host took the action. */
const MAY_HAVE_ARRIVED: ReadonlySet<HostFaultCode> = new Set(['disconnected', 'internal']);

/** The buttons are always in sight, the top of the card is not. */
const bringIntoSight = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

const REFUSED_WORDS = { approve: 'refused', deny: 'refused', answer: 'notAnswered', cancel: 'notCancelled' } as const;

/** What came of the last action, when it was not what the person wanted. */
export function CardAnswer({ refused, fault }: Pick<CardState, 'refused' | 'fault'>): JSX.Element | null {
  const { t } = useTranslation('card');
  const { t: state } = useTranslation('state');
  const { sentence } = useRefusalSentences();
  if (refused) {
    const title = t(REFUSED_WORDS[refused.action]);
    return (
      <Alert ref={bringIntoSight} color="red" variant="light" role="alert" title={title}>
        {sentence(refused.refusal)}
      </Alert>
    );
  }
  if (!fault) return null;
  return (
    <Alert ref={bringIntoSight} color="red" variant="light" role="alert" title={t('faulted')}>
      <p className="sentence">{state(`fault.${fault.code}`)}</p>
      {MAY_HAVE_ARRIVED.has(fault.code) && <p className="sentence">{t('faultedText')}</p>}
      {fault.reference && <p className="sentence">{state('reference', { reference: fault.reference })}</p>}
    </Alert>
  );
}

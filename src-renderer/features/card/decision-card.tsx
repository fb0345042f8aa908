import { useCallback, useEffect, useMemo, useState, type JSX, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { TriggerClaims } from '../../../src-shared/trigger.ts';
import type { RunDetailView } from '../../../src-shared/views/run-detail-view.ts';
import type { DenialReason } from '../../../src-shared/vocabulary.ts';
import { useClient } from '../../api/client-context.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Loaded } from '../../components/load-state.tsx';
import { LongText } from '../../components/long-text.tsx';
import { rendering } from '../../components/rendering.ts';
import { AnswerForm } from './answer-form.tsx';
import { CancelBar } from './cancel-bar.tsx';
import { CardBar } from './card-bar.tsx';
import { CardCall } from './card-call.tsx';
import { CardFactsList, CardReasons } from './card-facts.tsx';
import { decisionOfKey } from './card-keys.ts';
import { CardAnswer, CardNotices } from './card-notices.tsx';
import { approvalHold, contentKey, denialHold, sightKey } from './card-rules.ts';
import { createCardStore, type CardState, type CardStore } from './card-store.ts';
import { lastInput } from './last-input.ts';
import './card.css';

type Card = NonNullable<CardState['card']>;

const claimsOfPage = (): TriggerClaims => ({ via: lastInput() });

/** Runs something after a time, on the page's own timer. */
function afterOnPage(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** A pressed button may be gone afterwards ("Show all"): the focus stays in the card then, and its keys go on working. */
function keepFocus(card: HTMLElement): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) card.focus({ preventScroll: true });
  });
}

/**
 * The card of a run that waits for an approval or for answers. It never takes the focus by
 * itself; after a decision it shows nothing more and tells its parent how the run stands.
 */
export function DecisionCard({
  detail,
  onDecided,
}: {
  detail: RunDetailView;
  onDecided?: (detail: RunDetailView) => void;
}): JSX.Element {
  const { t } = useTranslation('card');
  const client = useClient();
  const { runId } = detail.run;
  const cardStore = useMemo(() => createCardStore(client, runId, afterOnPage, claimsOfPage), [client, runId]);
  useEffect(() => cardStore.follow(), [cardStore]);
  const state = useStore(cardStore.store);
  const tell = useCallback(
    async (decision: Promise<RunDetailView | null>) => {
      const decided = await decision;
      if (decided) onDecided?.(decided);
      return decided !== null;
    },
    [onDecided],
  );
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const decision = decisionOfKey(event);
    if (decision === 'approve') void tell(cardStore.approve());
    if (decision === 'deny') void tell(cardStore.deny(null));
  }
  return (
    <article
      tabIndex={-1}
      aria-label={t('card')}
      className="decision-card"
      onKeyDown={onKeyDown}
      onClick={({ currentTarget }) => keepFocus(currentTarget)}
    >
      {!state.isDone && (
        <Loaded value={state.card} fault={state.loadFault} reload={() => cardStore.reload()}>
          {(card) =>
            card ? (
              <CardContent card={card} state={state} cardStore={cardStore} tell={tell} />
            ) : (
              <p role="status" className="card-body">
                {t('gone')}
              </p>
            )
          }
        </Loaded>
      )}
    </article>
  );
}

interface ContentProps {
  card: Card;
  state: CardState;
  cardStore: CardStore;
  /** Passes on how the run stands; false = nothing was done. */
  tell: (decision: Promise<RunDetailView | null>) => Promise<boolean>;
}

function CardContent({ card, state, cardStore, tell }: ContentProps): JSX.Element {
  const client = useClient();
  const isConnected = useStore(client.connection) === 'connected';
  useArming(cardStore, sightKey(card, state.opened));
  const open = useCallback((cuts: readonly string[]) => cardStore.open(cuts), [cardStore]);
  const facts = { ...state, card, isConnected };
  const cancel = (): void => void tell(cardStore.cancel());
  const asking = new Set(card.questions.map(({ callId }) => callId));
  return (
    <>
      <CardBody card={card} state={state}>
        {card.calls?.map((call, index) =>
          asking.has(call.id) ? null : (
            <CardCall
              key={`${contentKey(card)}/${index}`}
              call={call}
              index={index}
              count={card.calls?.length ?? 0}
              opened={state.opened}
              onOpen={open}
            />
          ),
        )}
      </CardBody>
      {card.calls === null ? (
        <CancelBar isConnected={isConnected} isCancelling={state.sending === 'cancel'} onCancel={cancel} />
      ) : asking.size > 0 ? (
        <AnswerForm
          key={contentKey(card)}
          card={card}
          state={state}
          isConnected={isConnected}
          onAnswer={(answers) => tell(cardStore.answer(answers))}
          onCancel={cancel}
        />
      ) : (
        <CardBar
          card={card}
          approvalHold={approvalHold(facts)}
          denialHold={denialHold(facts)}
          state={state}
          onApprove={() => void tell(cardStore.approve())}
          onDeny={(reason: DenialReason | null) => void tell(cardStore.deny(reason))}
          onOpen={open}
          onConfirmBlind={(isConfirmed) => cardStore.confirmBlind(isConfirmed)}
        />
      )}
    </>
  );
}

/**
 * The time before a decision runs from when all of the content can be seen: again when
 * more of it was opened, when long parts are rendered to their end, and when the page
 * was out of sight.
 */
function useArming(cardStore: CardStore, sight: string): void {
  const isGrowing = useStore(rendering, ({ parts }) => parts > 0);
  useEffect(() => {
    if (isGrowing) {
      cardStore.contentGrows();
      return undefined;
    }
    const shown = (): void => {
      if (document.visibilityState === 'visible') cardStore.contentShown(sight);
    };
    shown();
    document.addEventListener('visibilitychange', shown);
    return () => document.removeEventListener('visibilitychange', shown);
  }, [cardStore, sight, isGrowing]);
}

function CardBody({ card, state, children }: { card: Card; state: CardState; children: ReactNode }): JSX.Element {
  const { t } = useTranslation('card');
  const { t: words } = useTranslation('runWords');
  return (
    <div className="card-body">
      <CardAnswer refused={state.refused} fault={state.fault} />
      <h2>{card.label === '' ? words('unlabelled') : <EscapedText text={card.label} isOneLine />}</h2>
      <CardNotices card={card} />
      <CardFactsList card={card} />
      <CardReasons card={card} />
      {card.request !== '' && <QuotedWords key={card.runId} title={t('request')} text={card.request} />}
      {card.assistantText !== '' && (
        <QuotedWords key={contentKey(card)} title={t('agentSays')} text={card.assistantText} />
      )}
      {children}
    </div>
  );
}

/** What somebody said, as plain text: the person who asked, the agent that answers. */
function QuotedWords({ title, text }: { title: string; text: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="agent-words">
      <h3>{title}</h3>
      <LongText text={text} isOpen={isOpen} onOpen={() => setOpen(true)} />
    </div>
  );
}

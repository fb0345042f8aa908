import { Button, Checkbox, Loader, Menu } from '@mantine/core';
import { useId, type JSX, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DenialReason } from '../../../src-shared/vocabulary.ts';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import { ignoreHeldKeys } from './card-keys.ts';
import { isBlind, writes, type Hold } from './card-rules.ts';
import type { Action, CardState } from './card-store.ts';

interface BarProps {
  card: NonNullable<CardState['card']>;
  approvalHold: Hold | null;
  denialHold: Hold | null;
  state: CardState;
  onApprove: () => void;
  onDeny: (reason: DenialReason | null) => void;
  onOpen: (cuts: readonly string[]) => void;
  onConfirmBlind: (isConfirmed: boolean) => void;
}

/** The two buttons, always in sight, with the reason beside them when one cannot be pressed. */
export function CardBar(props: BarProps): JSX.Element {
  const { card, approvalHold, denialHold, state, onApprove, onDeny } = props;
  const { t } = useTranslation('card');
  const wordsId = useId();
  const isBusy = state.sending !== null;
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="card-bar"
      data-armed={state.isArmed}
      onKeyDownCapture={ignoreHeldKeys}
    >
      <div className="bar-words" id={wordsId}>
        <BarWords {...props} />
      </div>
      <div className="bar-buttons">
        <Button.Group>
          <BarButton
            action="deny"
            sending={state.sending}
            isOff={denialHold !== null}
            isInert={isBusy || !state.isArmed}
            describedBy={wordsId}
            onPress={() => onDeny(null)}
          >
            {t('deny')}
          </BarButton>
          <DenialMenu isOff={denialHold !== null || isBusy} onDeny={onDeny} />
        </Button.Group>
        <BarButton
          action="approve"
          sending={state.sending}
          isOff={approvalHold !== null}
          isInert={isBusy || !state.isArmed}
          describedBy={wordsId}
          onPress={onApprove}
        >
          {t(writes(card) ? 'approveWrite' : 'approve')}
        </BarButton>
      </div>
    </div>
  );
}

/** Why Approve is off and what can be done about it; the keys when it is on. */
function BarWords({ card, approvalHold: hold, state, onOpen, onConfirmBlind }: BarProps): JSX.Element {
  const { t } = useTranslation('card');
  const { sentence } = useRefusalSentences();
  const isAskedToConfirm = (card.calls ?? []).some(isBlind);
  return (
    <>
      {state.hasChanged && (
        <p role="status" className="card-notice">
          {t('changed')}
        </p>
      )}
      {hold?.kind === 'disconnected' && <p>{t('held.disconnected')}</p>}
      {hold?.kind === 'bar' && <p>{sentence(hold.refusal)}</p>}
      {hold?.kind === 'cuts' && (
        <p>
          {t('held.cuts', { count: hold.closed.length })}{' '}
          <Button size="compact-sm" variant="default" onClick={() => onOpen(hold.closed)}>
            {t('showEverything')}
          </Button>
        </p>
      )}
      {isAskedToConfirm && hold?.kind !== 'bar' && (
        <Checkbox
          size="md"
          label={t('confirmBlind')}
          checked={state.isBlindConfirmed}
          onChange={({ currentTarget }) => onConfirmBlind(currentTarget.checked)}
        />
      )}
      {hold === null && !isAskedToConfirm && !state.hasChanged && <p className="quiet bar-keys">{t('keys')}</p>}
    </>
  );
}

const KEYS = { approve: 'A', deny: 'D' } as const;
const BUSY_WORDS = { approve: 'approving', deny: 'denying' } as const;

/** Stays focusable when off, so that the reason can be read to a person who cannot see it. */
function BarButton({
  action,
  sending,
  isOff,
  isInert,
  describedBy,
  onPress,
  children,
}: {
  action: 'approve' | 'deny';
  sending: Action | null;
  /** Shown as off. */
  isOff: boolean;
  /** Does nothing for a moment, and hardly looks different. */
  isInert: boolean;
  describedBy: string;
  onPress: () => void;
  children: ReactNode;
}): JSX.Element {
  const { t } = useTranslation('card');
  const isSending = sending === action;
  return (
    <Button
      size="xs"
      variant={action === 'approve' ? 'filled' : 'default'}
      className="bar-button"
      data-disabled={isOff || undefined}
      aria-disabled={isOff || isInert}
      aria-describedby={describedBy}
      aria-keyshortcuts={KEYS[action]}
      onClick={(event) => {
        if (isOff || isInert) event.preventDefault();
        else onPress();
      }}
      rightSection={
        isSending ? <Loader size={12} color="currentColor" aria-hidden /> : <kbd aria-hidden>{KEYS[action]}</kbd>
      }
    >
      {isSending ? t(BUSY_WORDS[action]) : children}
    </Button>
  );
}

function DenialMenu({ isOff, onDeny }: { isOff: boolean; onDeny: (reason: DenialReason) => void }): JSX.Element {
  const { t } = useTranslation('card');
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className="bar-menu"
          disabled={isOff}
          aria-label={t('denyWith')}
          title={t('denyWith')}
        >
          ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onDeny('variant')}>{t('denyVariant')}</Menu.Item>
        <Menu.Item onClick={() => onDeny('skip')}>{t('denySkip')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

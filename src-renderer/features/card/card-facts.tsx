import type { JSX, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PendingDecisionView } from '../../../src-shared/views/pending-decision-view.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Expiry } from '../../components/expiry.tsx';
import { plainLine } from '../../../src-shared/plain-text.ts';
import { ageWords, momentWords } from '../../components/time-words.ts';
import { useNow } from '../../components/use-now.ts';

/** Who asks, since when, with which configuration, and what the run has spent. */
export function CardFactsList({ card }: { card: PendingDecisionView }): JSX.Element {
  const { t, i18n } = useTranslation('card');
  const { t: words } = useTranslation('runWords');
  const inWords = (count: number): string => count.toLocaleString(i18n.language);
  return (
    <dl className="card-facts">
      <Fact name={t('askedBy')}>
        {card.initiatorName === '' ? words('nobody') : <EscapedText text={card.initiatorName} isOneLine />}
      </Fact>
      <Fact name={t('waitingSince')}>
        <WaitingTime sinceMs={card.waitingSinceMs} />
      </Fact>
      {card.expiresAtMs > 0 && (
        <Fact name={t('expiry')}>
          <Expiry atMs={card.expiresAtMs} />
        </Fact>
      )}
      <Fact name={t('configuration')}>
        <EscapedText text={card.configuration} isOneLine />
      </Fact>
      <Fact name={t('round')}>{t('roundOf', { round: inWords(card.rounds), all: inWords(card.maxRounds) })}</Fact>
      <Fact name={t('tokens')}>
        {t('tokensSpent', { input: inWords(card.inputTokens), output: inWords(card.outputTokens) })}
      </Fact>
    </dl>
  );
}

/** On its own, because it alone changes with every second. */
function WaitingTime({ sinceMs }: { sinceMs: number }): JSX.Element {
  const { t, i18n } = useTranslation('card');
  const nowMs = useNow();
  const moment = momentWords(i18n.language, sinceMs, nowMs);
  return <>{t('waitingFor', { moment, age: ageWords(i18n.language, sinceMs, nowMs) })}</>;
}

function Fact({ name, children }: { name: string; children: ReactNode }): JSX.Element {
  return (
    <div className="card-fact">
      <dt>{name}</dt> <dd>{children}</dd>
    </div>
  );
}

/** Why a person is asked: one sentence for each kind of effect the turn has. */
export function CardReasons({ card }: { card: PendingDecisionView }): JSX.Element | null {
  const { t, i18n } = useTranslation('card');
  const calls = card.calls ?? [];
  if (calls.length === 0) return null;
  if (card.questions.length > 0) return <p className="card-reasons">{t('because.question')}</p>;
  const writes = calls.filter(({ effect }) => effect !== 'read_only');
  const effects = [...new Set((writes.length > 0 ? writes : calls).map(({ effect }) => effect))];
  const toolsOf = (effect: string): string => {
    const names = calls.filter((call) => call.effect === effect).map(({ toolName }) => plainLine(toolName));
    return new Intl.ListFormat(i18n.language).format(new Set(names));
  };
  return (
    <div className="card-reasons">
      {effects.map((effect) => (
        <p key={effect}>
          <bdi>{t(`because.${effect}`, { tools: toolsOf(effect) })}</bdi>
        </p>
      ))}
    </div>
  );
}

import { useMemo, useRef, useState, type FormEvent, type JSX, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { askedValues, questionTitle } from '../../../src-shared/asked-values.ts';
import type { AnswerProblem } from '../../../src-shared/refusals.ts';
import type { PendingDecisionView, PendingQuestionView } from '../../../src-shared/views/pending-decision-view.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { createDrafts } from '../../components/drafts.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { useFocusFirstProblem } from '../../components/use-focus-first-problem.ts';
import { useRefusalSentences } from '../../components/use-refusal-sentences.ts';
import { AnswerField } from './answer-field.tsx';
import { fieldKey, filledAnswers, jsonProblems, parseAnswersDraft, type TypedAnswers } from './answer-fields.ts';
import { CancelBar } from './cancel-bar.tsx';
import { contentKey } from './card-rules.ts';
import type { CardState, FilledAnswers } from './card-store.ts';

interface FormProps {
  card: PendingDecisionView;
  state: CardState;
  isConnected: boolean;
  onAnswer(answers: FilledAnswers): Promise<boolean>;
  onCancel(): void;
}

/** Every question of the turn as one form. What was typed stays until it was taken. */
export function AnswerForm({ card, state, isConnected, onAnswer, onCancel }: FormProps): JSX.Element {
  const { t } = useTranslation('answer');
  const form = useRef<HTMLFormElement>(null);
  const { typed, change, isKept, forget } = useTypedAnswers(card);
  const [refusedTimes, setRefusedTimes] = useState(0);
  const [unread, setUnread] = useState<ReturnType<typeof jsonProblems>>({});
  const refusal = state.refused?.refusal;
  const problems = refusal?.kind === 'invalid_input' ? refusal.problems : [];
  useFocusFirstProblem(form, refusedTimes);
  async function send(): Promise<void> {
    if (!isConnected || card.answerBar) return;
    const broken = jsonProblems(card.questions, typed);
    setUnread(broken);
    if (Object.keys(broken).length > 0) return setRefusedTimes((times) => times + 1);
    if (await onAnswer(filledAnswers(card.questions, typed))) forget();
    else setRefusedTimes((times) => times + 1);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }
  return (
    <form ref={form} noValidate className="answer-form" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <div className="answer-questions">
        {card.questions.map((question) => (
          <Question
            key={question.callId}
            question={question}
            typed={typed}
            problems={problems}
            unread={unread}
            onChange={change}
          />
        ))}
        <p className="quiet">{t('goesToModel')}</p>
      </div>
      <CancelBar
        isConnected={isConnected}
        isCancelling={state.sending === 'cancel'}
        onCancel={onCancel}
        words={<BarWords card={card} hasChanged={state.hasChanged} isConnected={isConnected} isKept={isKept} />}
      >
        <BusyButton
          type="submit"
          size="xs"
          isBusy={state.sending === 'answer'}
          isOff={!isConnected || card.answerBar !== null}
        >
          {t('send')}
        </BusyButton>
      </CancelBar>
    </form>
  );
}

function Question({
  question,
  typed,
  problems,
  unread,
  onChange,
}: {
  question: PendingQuestionView;
  typed: TypedAnswers;
  problems: AnswerProblem[];
  unread: ReturnType<typeof jsonProblems>;
  onChange(key: string, value: string): void;
}): JSX.Element {
  const { t } = useTranslation('answer');
  const { answerSentence } = useRefusalSentences();
  const asked = useMemo(() => askedValues(question.schema), [question]);
  return (
    <fieldset className="answer-question">
      <legend>
        <EscapedText text={questionTitle(question)} isOneLine />
      </legend>
      {asked.map((value) => {
        const key = fieldKey(question.callId, value.name);
        const problem = problems.find(({ callId, field }) => callId === question.callId && isAt(field, value.name));
        const reading = unread[key] && jsonProblems([question], typed)[key];
        return (
          <AnswerField
            key={key}
            asked={value}
            value={typed[key] ?? ''}
            error={reading ? t(reading) : problem && answerSentence(problem)}
            onChange={(text) => onChange(key, text)}
          />
        );
      })}
    </fieldset>
  );
}

/** A problem inside a nested value belongs to the field it was entered in. */
const isAt = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);

function BarWords({
  card,
  hasChanged,
  isConnected,
  isKept,
}: {
  card: PendingDecisionView;
  hasChanged: boolean;
  isConnected: boolean;
  isKept: boolean;
}): JSX.Element {
  const { t } = useTranslation('answer');
  const { t: cardWords } = useTranslation('card');
  const { t: state } = useTranslation('state');
  const { sentence } = useRefusalSentences();
  return (
    <>
      {hasChanged && (
        <p role="status" className="card-notice">
          {cardWords('changed')}
        </p>
      )}
      {!isConnected && <p>{cardWords('held.disconnected')}</p>}
      {card.answerBar && <p>{sentence(card.answerBar)}</p>}
      {!isKept && <p role="status">{state('draftNotKept')}</p>}
      {isConnected && !card.answerBar && isKept && !hasChanged && <p className="quiet bar-keys">{t('keys')}</p>}
    </>
  );
}

/** What is typed for this very form, kept over a look at another run and over a reload. */
function useTypedAnswers(card: PendingDecisionView) {
  const drafts = useMemo(
    () => createDrafts(sessionStorage, `answers/${card.runId}/${contentKey(card)}`, parseAnswersDraft),
    [card],
  );
  const [typed, setTyped] = useState<TypedAnswers>(() => drafts.read() ?? {});
  const [isKept, setKept] = useState(true);
  return {
    typed,
    isKept,
    change(key: string, value: string): void {
      const next = { ...typed, [key]: value };
      setTyped(next);
      setKept(drafts.write(next));
    },
    forget: () => drafts.clear(),
  };
}

import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskedKind, AskedValue } from '../../../src-shared/asked-values.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';

/** Kinds that say how they are entered; of the others the control says it. */
const SAID: ReadonlySet<AskedKind> = new Set(['whole_number', 'number', 'json']);
const isSaid = (kind: AskedKind): kind is 'whole_number' | 'number' | 'json' => SAID.has(kind);

/** What a value is about, what it has to keep to, and what its schema suggests. All of it is text of a tool or a model. */
export function AnswerHints({ asked, onUse }: { asked: AskedValue; onUse(suggestion: string): void }): JSX.Element {
  const { t } = useTranslation('answer');
  const rules = [
    ...(isSaid(asked.kind) ? [t(asked.kind)] : []),
    ...asked.limits.map(({ keyword, limit }) => t(`limit.${keyword}`, { limit: plainLine(String(limit)) })),
  ];
  return (
    <>
      {asked.description !== '' && <span className="answer-about">{plainLine(asked.description)}</span>}
      {rules.length > 0 && <span className="answer-rules">{rules.join(' · ')}</span>}
      {asked.suggestion !== '' && (
        <span className="answer-rules">
          {t('suggested', { value: plainLine(asked.suggestion) })}{' '}
          <button type="button" onClick={() => onUse(asked.suggestion)}>
            {t('useSuggestion')}
          </button>
        </span>
      )}
    </>
  );
}

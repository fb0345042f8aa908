import { askedValues, readJson, typedValue, type AskedValue } from '../../../src-shared/asked-values.ts';
import type { PendingQuestionView } from '../../../src-shared/views/pending-decision-view.ts';
import type { FilledAnswers } from './card-store.ts';

/** One field of the form, whatever kind of control it is. */
export interface FieldProps {
  asked: AskedValue;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** What was typed or picked, by `fieldKey`. */
export type TypedAnswers = Record<string, string>;

/** One field of the form, apart from the fields of the other questions. */
export const fieldKey = (callId: string, name: string): string => JSON.stringify([callId, name]);

/** The answers as they are sent: what was left empty is left out, every question has its part. */
export function filledAnswers(questions: PendingQuestionView[], typed: TypedAnswers): FilledAnswers {
  return Object.fromEntries(
    questions.map(({ callId, schema }) => [callId, valuesOf(callId, askedValues(schema), typed)]),
  );
}

function valuesOf(callId: string, asked: AskedValue[], typed: TypedAnswers): Record<string, unknown> {
  return Object.fromEntries(
    asked.flatMap((value) => {
      const entered = typedValue(value, typed[fieldKey(callId, value.name)] ?? '');
      return entered === undefined ? [] : [[value.name, entered]];
    }),
  );
}

/** What is wrong with parts typed as JSON, by `fieldKey`: nothing of the form is sent before they can be read. */
export function jsonProblems(
  questions: PendingQuestionView[],
  typed: TypedAnswers,
): Record<string, 'not_json' | 'not_exact'> {
  const entered = questions.flatMap(({ callId, schema }) =>
    askedValues(schema)
      .filter(({ kind }) => kind === 'json')
      .map(({ name }) => fieldKey(callId, name)),
  );
  return Object.fromEntries(
    entered.flatMap((key) => {
      const text = (typed[key] ?? '').trim();
      const read = text === '' ? { value: undefined } : readJson(text);
      return 'problem' in read ? [[key, read.problem]] : [];
    }),
  );
}

/** A stored draft, as far as it is one. */
export function parseAnswersDraft(stored: unknown): TypedAnswers | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const entries = Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

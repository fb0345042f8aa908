import { askedValues, typedValue, type AskedValue } from '../../../src-shared/asked-values.ts';
import type { PendingQuestionView } from '../../../src-shared/views/pending-decision-view.ts';
import type { FilledAnswers } from './card-store.ts';

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

/** A stored draft, as far as it is one. */
export function parseAnswersDraft(stored: unknown): TypedAnswers | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const entries = Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

import type { FieldProblem } from '../../../src-shared/refusals.ts';
import { MAX_LABEL_LENGTH, MAX_PROMPT_LENGTH, MAX_ROUNDS } from '../../../src-shared/run-limits.ts';
import { textsOf } from '../../components/drafts.ts';

/** What stands in the form, exactly as typed. */
export type StartRunFields = {
  configurationId: string;
  prompt: string;
  label: string;
  maxRounds: string;
  /** The id under which exactly these fields were sent; '' = not yet. Sent again, they start no second run. */
  runId: string;
};

export const BLANK: StartRunFields = { configurationId: '', prompt: '', label: '', maxRounds: '', runId: '' };

/** A stored draft, as far as it fits. */
export const parseStartRunDraft = (stored: unknown): StartRunFields | null =>
  typeof stored === 'object' && stored !== null ? textsOf(BLANK, stored) : null;

/** The rounds as typed: null = left empty, undefined = not a whole number in range. Nothing is rounded or clamped. */
export function roundsOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const rounds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return rounds >= 1 && rounds <= MAX_ROUNDS ? rounds : undefined;
}

/** What the form itself can tell without the host: what the channel would not even take, and what the host would cut. */
export function startRunProblems(fields: StartRunFields): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (fields.configurationId === '') problems.push({ field: 'configurationId', problem: 'missing' });
  if (fields.prompt.trim() === '') problems.push({ field: 'prompt', problem: 'missing' });
  if (fields.prompt.length > MAX_PROMPT_LENGTH)
    problems.push({ field: 'prompt', problem: 'too_long', limit: MAX_PROMPT_LENGTH });
  if (fields.label.trim().length > MAX_LABEL_LENGTH)
    problems.push({ field: 'label', problem: 'too_long', limit: MAX_LABEL_LENGTH });
  if (roundsOf(fields.maxRounds) === undefined)
    problems.push({ field: 'maxRounds', problem: 'out_of_range', limit: MAX_ROUNDS });
  return problems;
}

import { isWrite } from './turn-rules.ts';
import type { ApprovalDecision } from './run.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';

/**
 * What the model reads in place of a denied call: who declined (never a name), that
 * nothing was executed, and what to do next, in closed words; and the person's note, if
 * there is one, as a quotation.
 * Source: human-decisions.md §9, LIM-18; T-63.
 */
export function denialText(
  decision: ApprovalDecision,
  initiatorId: number,
  toolName: string,
  effect: ToolEffect,
  note = '',
): string {
  const decidedBy = deciderOf(decision, initiatorId);
  const reason = isWrite(effect) ? decision.denialReason : null;
  return [
    DENIAL_MARK,
    `decided_by: ${decidedBy}`,
    ...(reason ? [`reason: ${reason}`] : []),
    `The call to ${toolName} was not executed; nothing was changed.`,
    reason ? REASON_ADVICE[reason] : DECIDER_ADVICE[decidedBy],
    ...(note ? [`${NOTE_MARK}${JSON.stringify(note)}`] : []),
  ].join('\n');
}

const NOTE_MARK = 'Their note: ';

/** The same text as events keep it: that there was a note, and no word of it (LIM-18). */
export const withoutNote = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith(NOTE_MARK) ? `${NOTE_MARK}kept with the decision only` : line))
    .join('\n');

/** Begins what the model reads of a call that a person declined. */
export const DENIAL_MARK = 'Error: approval_denied';

type Decider = 'run_owner' | 'other_user' | 'unknown';

function deciderOf(decision: ApprovalDecision, initiatorId: number): Decider {
  if (decision.decidedBy <= 0) return 'unknown';
  return decision.decidedBy === initiatorId ? 'run_owner' : 'other_user';
}

const DECIDER_ADVICE: Record<Decider, string> = {
  run_owner:
    'Tell the person that they declined this change, and ask whether to propose it again. Do not repeat it unasked.',
  other_user: 'Tell the person that another user declined this change. Do not repeat it unasked.',
  unknown: 'Tell the person that this change was declined; it is not a system error. Do not repeat it unasked.',
};

const REASON_ADVICE = {
  variant: 'Propose a different version of the same change.',
  skip: 'Do not propose this change again; go on with the rest.',
} as const;

import { isWrite } from './turn-rules.ts';
import type { ApprovalDecision } from './run.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';

/**
 * What the model reads in place of a denied call: who declined (never a name), that
 * nothing was executed, and what to do next. Made from closed words only, so no
 * person's text reaches the model by this way.
 * Source: human-decisions.md §9; T-63.
 */
export function denialText(
  decision: ApprovalDecision,
  initiatorId: number,
  toolName: string,
  effect: ToolEffect,
): string {
  const decidedBy = deciderOf(decision, initiatorId);
  const reason = isWrite(effect) ? decision.denialReason : null;
  return [
    'Error: approval_denied',
    `decided_by: ${decidedBy}`,
    ...(reason ? [`reason: ${reason}`] : []),
    `The call to ${toolName} was not executed; nothing was changed.`,
    reason ? REASON_ADVICE[reason] : DECIDER_ADVICE[decidedBy],
  ].join('\n');
}

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

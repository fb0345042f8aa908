import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import type { Actor } from './actor.ts';
import {
  accessRefusal,
  configurationRefusal,
  decidedColumns,
  decisionHead,
  firstForbiddenCall,
  staleRefusal,
  type CardBinding,
} from './decision-gates.ts';
import { answerProblems, cleanAnswers, JUDGING_MS } from './question-rules.ts';
import { unreadableReason } from './question-shape.ts';
import type { Answers, InputDecision, Trigger } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import type { ToolDefinition } from './tool.ts';
import { asksForInput } from './turn-rules.ts';

export interface SubmitInput extends CardBinding {
  actor: Actor;
  trigger: Trigger | null;
  answers: Answers;
  /** The registry as it is now, for the permission gate. */
  tools: ToolDefinition[];
}

/**
 * Answers every question of a waiting turn at once (T7): gates, answers and event in
 * one transaction. What is refused has consumed nothing; the same form can be sent
 * again. The event says who answered, never what.
 * Refuses: not_awaiting_input, already_decided, configuration_gone,
 * configuration_inactive, state_unreadable, invalid_input, stale_turn, stale_preview,
 * submitter_not_permitted.
 * Source: human-decisions.md §12.3.
 */
export function submitInput(facts: Facts, input: SubmitInput): Result<RunChange> {
  const { run, configuration, pendingTurn: turn } = facts;
  const refusal = accessRefusal(facts, input.actor, 'waiting_for_input') ?? configurationRefusal(facts);
  if (refusal || !run || !configuration) return refused(refusal ?? { kind: 'not_awaiting_input' });
  if (!turn || turn === 'unreadable' || !asksForInput(turn)) return refused({ kind: 'state_unreadable' });
  if (unreadableReason(turn)) return refused({ kind: 'state_unreadable' });
  const problems = answerProblems(turn.questions, input.answers, JUDGING_MS);
  if (problems.length > 0) return refused({ kind: 'invalid_input', problems });
  const barred = staleRefusal(run, turn, input) ?? submitterBar(facts, input.actor, input.tools);
  if (barred) return refused(barred);
  const decision: InputDecision = {
    ...decisionHead(run, turn, input, facts.nowMs),
    kind: 'input',
    answers: cleanAnswers(turn.questions, input.answers),
  };
  return accepted({
    kind: 'decided',
    from: 'waiting_for_input',
    set: decidedColumns(decision.number, facts.nowMs, facts.nowMs),
    decision,
    events: [
      lifecycleEvent('input', {
        submittedBy: decision.decidedBy,
        decisionNumber: decision.number,
        turnDigest: decision.turnDigest,
        previewRevision: decision.previewRevision,
        questions: turn.questions.map(({ toolName }) => toolName),
      }),
    ],
    wakes: true,
  });
}

/**
 * What keeps this actor from answering, whatever they enter: an answer reaches every
 * call of the turn, so they must be allowed to run each of them. No second person is
 * needed. A screen asks it before anybody types; the submission asks it again.
 * Source: human-decisions.md §10.4.
 */
export function submitterBar(
  { operator, configuration, pendingTurn }: Pick<Facts, 'operator' | 'configuration' | 'pendingTurn'>,
  actor: Actor,
  tools: ToolDefinition[],
): Refusal | null {
  if (!configuration || !pendingTurn || pendingTurn === 'unreadable') return null;
  const forbidden = firstForbiddenCall(pendingTurn.calls, operator, configuration, { actor, tools });
  return forbidden && { kind: 'submitter_not_permitted', ...forbidden };
}

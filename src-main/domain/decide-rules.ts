import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import type { DenialReason } from '../../src-shared/vocabulary.ts';
import { isInitiator, mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { Configuration } from './configuration.ts';
import {
  accessRefusal,
  configurationRefusal,
  decidedColumns,
  decisionHead,
  firstForbiddenCall,
  staleRefusal,
  type CardBinding,
} from './decision-gates.ts';
import type { ApprovalDecision, PendingTurn, RunRecord } from './run.ts';
import { lifecycleEvent, RELEASED, type Facts, type RunChange } from './run-change.ts';
import { suspendedEvent } from './suspend-rules.ts';
import type { ToolDefinition } from './tool.ts';
import { effectByName, isWrite, previewDigest } from './turn-rules.ts';

export interface DecideInput extends CardBinding {
  actor: Actor;
  approved: boolean;
  /** Only with a denial; ignored on an approval at the surface (H-158). */
  denialReason: DenialReason | null;
  /** How long the approval can be taken back; null = as the configuration says. */
  withdrawWindowMs: number | null;
  /** The registry as it is now, for the permission gate. */
  tools: ToolDefinition[];
}

/**
 * One decision about one turn: gates, decision and event in one transaction. The
 * order of the gates is normative: access, configuration, second person, readable
 * state, turn, preview, permission. Whatever refuses leaves everything as it was.
 * Who decided comes from the authenticated actor; there is no separate field (LIM-41).
 * Refuses: not_awaiting_approval, already_decided, configuration_gone,
 * configuration_inactive, second_approver_required, state_unreadable, stale_turn,
 * stale_preview, approver_not_permitted.
 * Source: human-decisions.md §6; architecture.md §3 "Where does an approved turn execute".
 */
export function decideApproval(facts: Facts, input: DecideInput): Result<RunChange> {
  const run = facts.run;
  const refusal =
    accessRefusal(facts, input.actor, 'waiting_for_approval') ??
    configurationRefusal(facts) ??
    secondPersonRefusal(facts, input);
  if (refusal || !run || !facts.configuration) return refused(refusal ?? { kind: 'not_awaiting_approval' });
  if (!facts.pendingTurn || facts.pendingTurn === 'unreadable') return refused({ kind: 'state_unreadable' });
  const turn = facts.pendingTurn;
  const stale = staleRefusal(run, turn, input);
  if (stale) return refused(stale);
  const notPermitted = input.approved ? permissionRefusal(turn, facts, facts.configuration, input) : null;
  if (notPermitted) return refused(notPermitted);
  return accepted(decided(run, turn, facts.configuration, facts.nowMs, input));
}

/**
 * What keeps this actor from approving, whatever is on the card: for a screen, so that
 * it says so before anybody presses. The decision itself asks again.
 */
export function approvalBar(
  facts: Pick<Facts, 'run' | 'operator' | 'configuration' | 'pendingTurn'>,
  actor: Actor,
  tools: ToolDefinition[],
): Refusal | null {
  const input = { actor, approved: true, tools };
  const barred = configurationRefusal(facts) ?? secondPersonRefusal(facts, input);
  if (barred || !facts.configuration || !facts.pendingTurn || facts.pendingTurn === 'unreadable') return barred;
  return permissionRefusal(facts.pendingTurn, facts, facts.configuration, input);
}

/** The initiator may always refuse; administrators are not exempt on their own runs (H-140 to H-143). */
function secondPersonRefusal(
  { run, configuration }: Pick<Facts, 'run' | 'configuration'>,
  input: Pick<DecideInput, 'actor' | 'approved'>,
): Refusal | null {
  if (!run || !configuration?.settings.requireSecondApprover) return null;
  if (!input.approved || !isInitiator(input.actor, run)) return null;
  return { kind: 'second_approver_required', configuration: configuration.identifier };
}

/** An approver must hold the right to every write they release; reads are not asked (H-126 to H-135). */
function permissionRefusal(
  turn: PendingTurn,
  facts: Pick<Facts, 'operator'>,
  configuration: Configuration,
  input: Pick<DecideInput, 'actor' | 'tools'>,
): Refusal | null {
  const writes = turn.calls.filter(({ name }) => isWrite(effectByName(input.tools.find((tool) => tool.name === name))));
  const forbidden = firstForbiddenCall(writes, facts.operator, configuration, input);
  return forbidden && { kind: 'approver_not_permitted', ...forbidden };
}

function decided(
  run: RunRecord,
  turn: PendingTurn,
  configuration: Configuration,
  nowMs: number,
  input: DecideInput,
): RunChange {
  const decision: ApprovalDecision = {
    ...decisionHead(run, turn, input.actor, nowMs),
    kind: 'approval',
    approved: input.approved,
    denialReason: input.approved ? null : input.denialReason,
  };
  const windowMs = input.approved
    ? boundedWindow(input.withdrawWindowMs ?? configuration.settings.withdrawWindowMs)
    : 0;
  return {
    kind: 'decided',
    from: 'waiting_for_approval',
    set: decidedColumns(decision.number, nowMs, nowMs + windowMs),
    decision,
    events: [approvalEvent(decision, turn, input)],
    wakes: true,
  };
}

const LONGEST_WINDOW_MS = 30_000;
const boundedWindow = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_WINDOW_MS);

/**
 * The record of a decision: who, what, and digests of exactly what was on the card.
 * `blind` marks an approval that released a write without a readable preview (LIM-05).
 */
function approvalEvent(decision: ApprovalDecision, turn: PendingTurn, input: DecideInput): RunChange['events'][number] {
  const isBlind =
    decision.approved &&
    turn.calls.some((call) => {
      const definition = input.tools.find((tool) => tool.name === call.name);
      const shown = turn.previews.find((preview) => preview.callId === call.id);
      return isWrite(effectByName(definition)) && (!shown || shown.preview.kind === 'failed');
    });
  return lifecycleEvent('approval', {
    approved: decision.approved,
    decidedBy: decision.decidedBy,
    ...(input.actor.kind === 'service' ? { serviceAccount: input.actor.name } : {}),
    decisionNumber: decision.number,
    turnDigest: decision.turnDigest,
    previewRevision: decision.previewRevision,
    previewDigest: previewDigest(turn),
    ...(decision.denialReason ? { denialReason: decision.denialReason } : {}),
    ...(isBlind ? { blind: true } : {}),
  });
}

export interface WithdrawInput {
  actor: Actor;
}

/**
 * Takes an approval back before its write may start (T19). Only the person who
 * decided may; `decidedBy` is theirs as read from the stored decision.
 * Refuses: unknown_run, withdraw_window_over, state_unreadable.
 */
export function withdrawApproval(facts: Facts, input: WithdrawInput): Result<RunChange> {
  const run = facts.run;
  if (!run || !mayActOnRun(input.actor, facts.operator, run, 'agent:approve')) return refused({ kind: 'unknown_run' });
  const isDecider =
    facts.decision !== null && facts.decision.decidedBy > 0 && facts.decision.decidedBy === operatorIdOf(input.actor);
  if (!isDecider) return refused({ kind: 'unknown_run' });
  const isOpen =
    run.status === 'queued' &&
    run.segment === 'resume' &&
    facts.decision?.kind === 'approval' &&
    facts.decision.approved &&
    facts.nowMs < run.notBeforeAtMs;
  if (!isOpen) return refused({ kind: 'withdraw_window_over' });
  if (!facts.pendingTurn || facts.pendingTurn === 'unreadable') return refused({ kind: 'state_unreadable' });
  // A new revision: the withdrawn decision is bound to the old one, so nothing can ever bring it back to life.
  const revision = run.previewRevision + 1;
  return accepted({
    kind: 'waiting',
    from: 'queued',
    set: {
      ...RELEASED,
      status: 'waiting_for_approval',
      previewRevision: revision,
      decisionNumber: 0,
      notBeforeAtMs: 0,
      waitingSinceMs: facts.nowMs,
    },
    events: [
      lifecycleEvent('approval_withdrawn', {
        decisionNumber: run.decisionNumber,
        withdrawnBy: operatorIdOf(input.actor),
      }),
      suspendedEvent(facts.pendingTurn, revision),
    ],
    pendingTurn: facts.pendingTurn,
  });
}

import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import type { DenialReason } from '../../src-shared/vocabulary.ts';
import { isInitiator, mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { Configuration } from './configuration.ts';
import {
  accessRefusal,
  changedToolRefusal,
  configurationRefusal,
  decidedColumns,
  decisionHead,
  firstForbiddenCall,
  isShownTo,
  staleRefusal,
  type CardBinding,
} from './decision-gates.ts';
import { cleanNote } from './note-text.ts';
import { isApproval, type ApprovalDecision, type PendingTurn, type RunRecord, type Trigger } from './run.ts';
import { lifecycleEvent, RELEASED, type Facts, type RunChange } from './run-change.ts';
import { suspendedEvent } from './suspend-rules.ts';
import type { ToolCall, ToolDefinition } from './tool.ts';
import { blindCalls, effectByName, isWrite, previewDigest } from './turn-rules.ts';

export interface DecideInput extends CardBinding {
  actor: Actor;
  approved: boolean;
  /** Only with a denial; ignored on an approval at the surface (H-158). */
  denialReason: DenialReason | null;
  /** A person's own words with a denial; cleaned and cut. '' = none. */
  note: string;
  /** The person approves although no readable preview shows a write, or a call is withheld from them. */
  confirmsBlind: boolean;
  trigger: Trigger | null;
  /** How long the approval can be taken back; null = as the configuration says. */
  withdrawWindowMs: number | null;
  /** The registry as it is now, for the permission gate. */
  tools: ToolDefinition[];
}

/**
 * One decision about one turn: gates, decision and event in one transaction. The
 * order of the gates is normative: access, configuration, second person, readable
 * state, turn, preview, permission, tools as shown, blindness. Whatever refuses leaves everything as it was.
 * Who decided comes from the authenticated actor; there is no separate field (LIM-41).
 * Refuses: not_awaiting_approval, already_decided, configuration_gone,
 * configuration_inactive, second_approver_required, state_unreadable, stale_turn,
 * stale_preview, approver_not_permitted, stale_tool, blind_not_confirmed.
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
  const notApproved = input.approved ? approvalRefusal(turn, facts, facts.configuration, input) : null;
  if (notApproved) return refused(notApproved);
  return accepted(decided(run, turn, facts.configuration, facts, input));
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
  const input = { actor, approved: true, tools, confirmsBlind: true };
  const barred = configurationRefusal(facts) ?? secondPersonRefusal(facts, input);
  if (barred || !facts.configuration || !facts.pendingTurn || facts.pendingTurn === 'unreadable') return barred;
  return approvalRefusal(facts.pendingTurn, facts, facts.configuration, input);
}

/** What an approval has to pass and a denial, which executes nothing, has not. */
function approvalRefusal(
  turn: PendingTurn,
  facts: Pick<Facts, 'operator'>,
  configuration: Configuration,
  input: Pick<DecideInput, 'actor' | 'tools' | 'confirmsBlind'>,
): Refusal | null {
  const refusal = permissionRefusal(turn, facts, configuration, input) ?? changedToolRefusal(turn, input.tools);
  if (refusal) return refusal;
  const blind = input.confirmsBlind ? [] : unseenCalls(turn, facts, configuration, input.tools);
  return blind.length > 0 ? { kind: 'blind_not_confirmed', toolNames: blind.map(({ name }) => name) } : null;
}

/** Calls of which the person saw neither what would change nor with which values: they say so to approve them (LIM-04, LIM-05, H-083). */
function unseenCalls(
  turn: PendingTurn,
  { operator }: Pick<Facts, 'operator'>,
  configuration: Configuration,
  tools: ToolDefinition[],
): ToolCall[] {
  const blind = blindCalls(turn, tools);
  const definitionOf = (call: ToolCall): ToolDefinition | undefined => tools.find(({ name }) => name === call.name);
  return turn.calls.filter((call) => blind.includes(call) || !isShownTo(operator, configuration, definitionOf(call)));
}

/** Whoever wrote arguments of the turn has a part in it, as who started the run. */
const isEditor = (turn: PendingTurn, actor: Actor): boolean =>
  Object.values(turn.edits).some(({ editedBy }) => operatorIdOf(actor) > 0 && editedBy.includes(operatorIdOf(actor)));

/** The initiator may always refuse; administrators are not exempt on their own runs (H-140 to H-143). */
function secondPersonRefusal(
  { run, configuration, pendingTurn }: Pick<Facts, 'run' | 'configuration' | 'pendingTurn'>,
  input: Pick<DecideInput, 'actor' | 'approved'>,
): Refusal | null {
  if (!run || !configuration?.settings.requireSecondApprover) return null;
  if (!input.approved) return null;
  const hasEdited = pendingTurn !== null && pendingTurn !== 'unreadable' && isEditor(pendingTurn, input.actor);
  if (!isInitiator(input.actor, run) && !hasEdited) return null;
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
  { nowMs, operator }: Pick<Facts, 'nowMs' | 'operator'>,
  input: DecideInput,
): RunChange {
  const decision: ApprovalDecision = {
    ...decisionHead(run, turn, input, nowMs),
    kind: 'approval',
    verdicts: Object.fromEntries(turn.calls.map(({ id }) => [id, input.approved ? 'approved' : 'denied'])),
    denialReason: input.approved ? null : input.denialReason,
    note: input.approved ? '' : cleanNote(input.note),
    isBlind: input.approved && unseenCalls(turn, { operator }, configuration, input.tools).length > 0,
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
 * `blind` marks an approval of something that the person did not see (LIM-05).
 */
function approvalEvent(decision: ApprovalDecision, turn: PendingTurn, input: DecideInput): RunChange['events'][number] {
  return lifecycleEvent('approval', {
    approved: input.approved,
    decidedBy: decision.decidedBy,
    ...(input.actor.kind === 'service' ? { serviceAccount: input.actor.name } : {}),
    decisionNumber: decision.number,
    turnDigest: decision.turnDigest,
    previewRevision: decision.previewRevision,
    previewDigest: previewDigest(turn),
    ...(decision.denialReason ? { denialReason: decision.denialReason } : {}),
    ...(decision.isBlind ? { blind: true } : {}),
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
    facts.decision !== null &&
    isApproval(facts.decision) &&
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

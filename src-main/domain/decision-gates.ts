import type { Refusal } from '../../src-shared/refusals.ts';
import type { RunStatus, ToolDenial } from '../../src-shared/vocabulary.ts';
import { mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { Configuration } from './configuration.ts';
import { sameDigest } from './digest.ts';
import type { PendingTurn, RunRecord, Trigger } from './run.ts';
import { RELEASED, type Facts, type RunColumns } from './run-change.ts';
import type { ToolCall, ToolDefinition } from './tool.ts';
import { toolDenial } from './tool-gate-rules.ts';
import { isAsShown, turnBinding } from './turn-rules.ts';

/*
 * Gates that an approval and an answer share. Each is asked inside the transaction, on fresh rows.
 */

/** What a decision is about, as delivered with the card; null or '' = the card named none. */
export interface CardBinding {
  turnDigest: string | null;
  previewRevision: number | null;
}

/** Authorisation comes first, so a stranger cannot tell a waiting run from none (D-32, LIM-09). */
export function accessRefusal(
  { run, operator }: Pick<Facts, 'run' | 'operator'>,
  actor: Actor,
  waiting: Extract<RunStatus, 'waiting_for_approval' | 'waiting_for_input'>,
): Refusal | null {
  const notAwaiting = {
    kind: waiting === 'waiting_for_input' ? 'not_awaiting_input' : 'not_awaiting_approval',
  } as const;
  if (!run || !mayActOnRun(actor, operator, run, 'agent:approve')) return notAwaiting;
  if (run.status === waiting) return null;
  const isBeingResumed = (run.status === 'queued' || run.status === 'running') && run.decisionNumber > 0;
  return isBeingResumed ? { kind: 'already_decided', status: run.status } : notAwaiting;
}

/** Deciding continues a run through its configuration, so it must be there and active, denials included. */
export function configurationRefusal({ run, configuration }: Pick<Facts, 'run' | 'configuration'>): Refusal | null {
  if (!configuration) return { kind: 'configuration_gone', configuration: run?.configurationIdentifier ?? '' };
  if (!configuration.isActive) return { kind: 'configuration_inactive', configuration: configuration.identifier };
  return null;
}

/** The column is a copy; the digest judged is computed from the stored turn itself, so an edited column decides nothing. */
export function staleRefusal(run: RunRecord, turn: PendingTurn, card: CardBinding): Refusal | null {
  if (!sameDigest(turnBinding(turn), card.turnDigest)) return { kind: 'stale_turn' };
  if (card.previewRevision !== run.previewRevision) {
    return { kind: 'stale_preview', currentRevision: run.previewRevision };
  }
  return null;
}

/** The first call that the actor could not run themselves, and why; a service account and a person who is gone run none. */
export function firstForbiddenCall(
  calls: ToolCall[],
  operator: Facts['operator'],
  configuration: Configuration,
  { actor, tools }: { actor: Actor; tools: ToolDefinition[] },
): { toolName: string; reason: ToolDenial | 'serviceAccount' | 'accountUnavailable' } | null {
  for (const { name } of calls) {
    if (actor.kind !== 'operator') return { toolName: name, reason: 'serviceAccount' };
    if (!operator?.isEnabled) return { toolName: name, reason: 'accountUnavailable' };
    const definition = tools.find((tool) => tool.name === name);
    const reason = toolDenial(definition, configuration, operator);
    if (reason) return { toolName: name, reason };
  }
  return null;
}

/**
 * Whether somebody is shown the values of a call: nobody sees what they may not use themselves, and a service account is
 * nobody who sees (LIM-04, H-076).
 */
export const isShownTo = (
  operator: Facts['operator'],
  configuration: Configuration | null,
  definition: ToolDefinition | undefined,
): boolean => operator !== null && configuration !== null && toolDenial(definition, configuration, operator) === null;

/** Approvals only: answers are bound to the questions they answer. A tool that is still there and defined otherwise now is another tool than the card showed; one that is gone, permission refuses. */
export function changedToolRefusal(turn: PendingTurn, tools: ToolDefinition[]): Refusal | null {
  const named = turn.calls.flatMap((call) => tools.find(({ name }) => name === call.name) ?? []);
  const changed = named.find((definition) => !isAsShown(turn, definition));
  return changed ? { kind: 'stale_tool', toolName: changed.name } : null;
}

/** Columns of a run whose decision `number` is stored: a worker carries it out, not before `notBeforeAtMs`. */
export function decidedColumns(number: number, nowMs: number, notBeforeAtMs: number): RunColumns {
  return {
    ...RELEASED,
    status: 'queued',
    segment: 'resume',
    decisionNumber: number,
    lastDecisionNumber: number,
    notBeforeAtMs,
    nextAttemptAtMs: nowMs,
    queuedAtMs: nowMs,
    waitingSinceMs: 0,
  };
}

/** What every decision says of itself: its number, whose it is, and what it was about. */
export function decisionHead(
  run: RunRecord,
  turn: PendingTurn,
  { actor, trigger }: { actor: Actor; trigger: Trigger | null },
  nowMs: number,
) {
  return {
    v: 2,
    number: run.lastDecisionNumber + 1,
    decidedBy: operatorIdOf(actor),
    decidedAtMs: nowMs,
    trigger,
    turnDigest: turnBinding(turn),
    previewRevision: run.previewRevision,
  } as const;
}

import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import type { WriteFinding } from '../../src-shared/vocabulary.ts';
import { mayActOnRun } from './access-rules.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import type { PendingTurn, RunRecord, UncertainWrite } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';

/**
 * The write of a run that nobody can tell the outcome of, or null: the one behind
 * the fence, else the one an earlier segment left to be examined (only an
 * idempotent write is left like that). Whatever ends a run asks this, so that no
 * write in flight is forgotten. Unreadable state still leaves an entry to look at.
 * Source: architecture.md §5a "Recovery of an interrupted approved call"; X2.
 */
export function writeInDoubt(run: RunRecord, stored: Facts['pendingTurn']): UncertainWrite | null {
  const callId = run.fenceCallId || run.recoverCallId;
  if (callId === '') return null;
  const turn: PendingTurn | null = stored === 'unreadable' ? null : stored;
  const call = turn?.calls.find((candidate) => candidate.id === callId);
  const preview = turn?.previews.find((candidate) => candidate.callId === callId) ?? null;
  return {
    callId,
    toolName: call?.name ?? run.pendingTool,
    effect: run.fenceEffect || 'idempotent_write',
    target: preview?.target ?? null,
    cause: 'interrupted',
    detail: { call: call ?? { id: callId, name: run.pendingTool, arguments: {} }, preview },
  };
}

/** The event of a write whose outcome a person must establish: identity only, no values. */
export function uncertainWriteEvent(write: UncertainWrite): RunChange['events'][number] {
  return lifecycleEvent('uncertain_write', {
    toolCallId: write.callId,
    toolName: write.toolName,
    effect: write.effect,
    cause: write.cause,
    ...(write.target ? { target: write.target } : {}),
  });
}

export interface ResolveInput {
  actor: Actor;
  callId: string;
  /** What the person saw at the target. */
  finding: WriteFinding;
}

/**
 * Takes an uncertain write off the list because a person looked at its target. The run
 * itself stays as it ended; the finding is part of its record. No service account may.
 * Refuses: unknown_run (unknown and forbidden alike), no_uncertain_write.
 * Source: architecture.md §5a "uncertain writes"; peers.md T-40.
 */
export function resolveUncertainWrite(facts: Facts, input: ResolveInput): Result<RunChange> {
  const { run, operator } = facts;
  const mayLook = operator !== null && run !== null && mayActOnRun(input.actor, operator, run, 'agent:approve');
  if (!mayLook) return refused({ kind: 'unknown_run' });
  if (!facts.uncertainCallIds.includes(input.callId)) return refused({ kind: 'no_uncertain_write' });
  return accepted({
    kind: 'step',
    from: run.status,
    set: {},
    events: [
      lifecycleEvent('uncertain_resolved', {
        toolCallId: input.callId,
        resolvedBy: operatorIdOf(input.actor),
        finding: input.finding,
      }),
    ],
    resolvesUncertainWrite: { callId: input.callId, resolution: input.finding },
  });
}

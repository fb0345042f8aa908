import { mayActOnRun } from '../domain/access-rules.ts';
import { operatorIdOf, type Actor, type Operator } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { isDelayed } from '../domain/retry-rules.ts';
import { isApproval, isTerminal, type RunRecord, type RunResult } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';
import { readable } from './readable.ts';

/** One run as a screen of its own shows it. */
export interface RunDetail {
  run: RunRecord;
  initiatorName: string;
  /** How it ended; null while it goes on, and for who may only decide it. */
  result: RunResult | null;
  mayCancel: boolean;
  /** Whether trying it now would shorten a wait, and this actor may. */
  mayRetry: boolean;
  /** Until when this actor may take their approval back; 0 = not, or not any more. */
  withdrawUntilMs: number;
}

/**
 * A run for somebody who may read or decide it; null for anybody else and for an
 * unknown run: one answer (LIM-09). Who may only decide it gets no result.
 */
export async function runDetail(store: RunStore, clock: Clock, actor: Actor, runId: string): Promise<RunDetail | null> {
  const run = await store.run(runId);
  if (!run) return null;
  const operator = operatorIdOf(actor) > 0 ? await store.operator(operatorIdOf(actor)) : null;
  const mayRead = mayActOnRun(actor, operator, run, 'agent:read');
  if (!mayRead && !mayActOnRun(actor, operator, run, 'agent:approve')) return null;
  const owner = run.initiatorId > 0 ? await store.operator(run.initiatorId) : null;
  return {
    run,
    initiatorName: owner?.name ?? '',
    result: mayRead ? await readable(() => store.result(runId)) : null,
    mayCancel: !isTerminal(run.status) && mayActOnRun(actor, operator, run, 'agent:cancel'),
    mayRetry:
      run.hold !== 'restored' && isDelayed(run, clock.nowMs()) && mayActOnRun(actor, operator, run, 'agent:approve'),
    withdrawUntilMs: await withdrawUntil(store, clock, actor, operator, run),
  };
}

/** The same conditions as `withdrawApproval`, which asks them again. */
async function withdrawUntil(
  store: RunStore,
  clock: Clock,
  actor: Actor,
  operator: Operator | null,
  run: RunRecord,
): Promise<number> {
  const isOpen =
    run.status === 'queued' && run.segment === 'resume' && run.hold !== 'restored' && clock.nowMs() < run.notBeforeAtMs;
  if (!isOpen || !mayActOnRun(actor, operator, run, 'agent:approve')) return 0;
  const decision = await readable(() => store.decision(run.id, run.decisionNumber));
  const isTheirs = decision !== null && decision.decidedBy > 0 && decision.decidedBy === operatorIdOf(actor);
  return decision && isApproval(decision) && isTheirs ? run.notBeforeAtMs : 0;
}

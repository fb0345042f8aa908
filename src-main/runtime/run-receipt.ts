import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import { mayActOnRun } from '../domain/access-rules.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import type { RunRecord } from '../domain/run.ts';
import type { RunStore } from '../store/run-store.ts';
import { readable } from './readable.ts';

/**
 * The receipt of a decision as the file that was signed, for who may read the run; null = the newest decision.
 * Refuses: unknown_run (one answer for unknown and forbidden), no_receipt.
 */
export async function runReceipt(
  store: RunStore,
  actor: Actor,
  runId: string,
  wanted: number | null,
): Promise<Result<string>> {
  const run = await store.run(runId);
  const operator = operatorIdOf(actor) > 0 ? await store.operator(operatorIdOf(actor)) : null;
  if (!run || !mayActOnRun(actor, operator, run, 'agent:read')) return refused({ kind: 'unknown_run' });
  const decisionNumber = wanted ?? run.lastDecisionNumber;
  const file = await readable(() => store.receipt(runId, decisionNumber));
  if (file !== null) return accepted(file);
  return refused({ kind: 'no_receipt', decisionNumber, why: await absenceOf(store, run, decisionNumber) });
}

async function absenceOf(
  store: RunStore,
  run: RunRecord,
  decisionNumber: number,
): Promise<Extract<Refusal, { kind: 'no_receipt' }>['why']> {
  if (run.lastDecisionNumber === 0) return 'undecided';
  if (decisionNumber > run.lastDecisionNumber) return 'no_such_decision';
  const events = await store.events(run.id, -1);
  const isSigned = events.some(
    ({ kind, payload }) =>
      kind === 'attempt' && payload.decisionNumber === decisionNumber && payload.receipt !== undefined,
  );
  if (isSigned) return 'damaged';
  return run.status === 'queued' && run.decisionNumber === decisionNumber ? 'not_taken_up' : 'never_taken_up';
}

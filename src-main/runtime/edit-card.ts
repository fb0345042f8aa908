import { refused, type Result } from '../../src-shared/refusals.ts';
import { mayActOnRun } from '../domain/access-rules.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { CardBinding } from '../domain/decision-gates.ts';
import { withEdits, writesOf, type ArgumentEdits } from '../domain/edit-rules.ts';
import type { RunRecord } from '../domain/run.ts';
import { offeredTools } from '../domain/tool-gate-rules.ts';
import { toolContextOf } from '../domain/tool-context.ts';
import type { ToolCatalogue, ToolRunner } from '../domain/tool.ts';
import type { RunStore } from '../store/run-store.ts';
import { readable } from './readable.ts';

export interface EditPorts {
  store: RunStore;
  catalogue: ToolCatalogue;
  clock: Clock;
  tools: Pick<ToolRunner, 'planTurn'>;
  /** Absolute paths no tool may touch. */
  protectedPaths: string[];
}

/**
 * Edits the arguments of a waiting turn, or makes its card anew: plans what it would change as the run's owner, outside any
 * transaction, and stores it only if the card is still the one that was edited.
 * Refuses: see `editCard`; also `not_awaiting_approval` for what cannot be read by this person.
 */
export async function editWaitingCard(
  { store, catalogue, clock, tools, protectedPaths }: EditPorts,
  actor: Actor,
  runId: string,
  { edits, ...card }: CardBinding & { edits: ArgumentEdits },
): Promise<Result<RunRecord>> {
  const run = await store.run(runId);
  const operator = operatorIdOf(actor) > 0 ? await store.operator(operatorIdOf(actor)) : null;
  // Nothing of a run is read, let alone planned, for somebody who may not decide it.
  if (!run || !mayActOnRun(actor, operator, run, 'agent:approve')) return refused({ kind: 'not_awaiting_approval' });
  const [turn, request] = [await readable(() => store.pendingTurn(runId)), await readable(() => store.request(runId))];
  const configuration = await store.configuration(run.configurationId);
  const owner = run.initiatorId > 0 ? await store.operator(run.initiatorId) : null;
  const offered =
    configuration && request && (run.initiatorId === 0 || owner?.isEnabled)
      ? offeredTools(catalogue.list(), request.allowedToolNames, configuration, owner)
      : [];
  const writes = writesOf(withEdits(turn?.calls ?? [], edits), offered);
  const previews =
    configuration && writes.length > 0
      ? await tools.planTurn(writes, toolContextOf({ runId, owner, configuration, protectedPaths }))
      : [];
  const input = { actor, edits, ...card, previews, tools: catalogue.list() };
  return store.transition(runId, { kind: 'edit_card', input, nowMs: clock.nowMs() });
}

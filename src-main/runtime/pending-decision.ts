import type { PendingCallView, PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';
import { askedValues } from '../../src-shared/asked-values.ts';
import { mayActOnRun } from '../domain/access-rules.ts';
import { operatorIdOf, type Actor, type Operator } from '../domain/actor.ts';
import { approvalBar } from '../domain/decide-rules.ts';
import { isShownTo } from '../domain/decision-gates.ts';
import { expiresAtMs } from '../domain/expire-rules.ts';
import type { Configuration } from '../domain/configuration.ts';
import type { JsonObject } from '../domain/json-value.ts';
import { isWaiting, type PendingTurn, type RunRecord } from '../domain/run.ts';
import { unreadableReason } from '../domain/question-shape.ts';
import { OtherFormError, SealBrokenError } from '../domain/sealed-faults.ts';
import { restoredBar } from '../domain/restored-gate.ts';
import { submitterBar } from '../domain/submit-rules.ts';
import { effectByName, isWrite, turnBinding } from '../domain/turn-rules.ts';
import type { CallQuestion, ToolCall, ToolCatalogue } from '../domain/tool.ts';
import type { RunStore } from '../store/run-store.ts';
import { readable } from './readable.ts';

/**
 * The card of a waiting run, approval or question, for somebody who may decide it; null for anybody else,
 * for an unknown run and for one that does not wait: one answer (LIM-09).
 */
export async function pendingDecision(
  store: RunStore,
  catalogue: ToolCatalogue,
  actor: Actor,
  runId: string,
): Promise<PendingDecisionView | null> {
  const run = await store.run(runId);
  if (!run || !isWaiting(run.status)) return null;
  const operator = operatorIdOf(actor) > 0 ? await store.operator(operatorIdOf(actor)) : null;
  if (!mayActOnRun(actor, operator, run, 'agent:approve')) return null;
  const owner = run.initiatorId > 0 ? await store.operator(run.initiatorId) : null;
  const { turn, unreadable } = await storedTurn(store, runId);
  const shown = unreadable ? null : turn;
  const facts = { run, operator, configuration: await store.configuration(run.configurationId), pendingTurn: turn };
  const held = restoredBar('decide_approval', run);
  const words = await readable(() => store.transcript(runId));
  const last = words?.findLast((message) => message.role === 'assistant');
  const request = await readable(() => store.request(runId));
  const isAsking = run.status === 'waiting_for_input';
  const barred = isAsking ? submitterBar(facts, actor, catalogue.list()) : null;
  const questions = shown?.questions ?? [];
  return {
    ...summary(run),
    initiatorName: owner?.name ?? '',
    expiresAtMs: expiresAtMs(run, facts.configuration),
    turnDigest: shown ? turnBinding(shown) : '',
    request: request?.messages.find((message) => message.role === 'user')?.content ?? '',
    assistantText: last?.content ?? '',
    approvalBar: run.status === 'waiting_for_approval' ? (held ?? approvalBar(facts, actor, catalogue.list())) : null,
    questions: barred ? questions.map(withheldQuestion) : questions,
    answerBar: isAsking ? (held ?? barred) : null,
    calls: shown ? callViews(shown, catalogue, facts) : null,
    unreadable,
  };
}

/** The turn and, where it cannot be decided, why. */
async function storedTurn(
  store: RunStore,
  runId: string,
): Promise<{ turn: PendingTurn | null; unreadable: PendingDecisionView['unreadable'] }> {
  try {
    const turn = await store.pendingTurn(runId);
    return { turn, unreadable: unreadableReason(turn) };
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    return { turn: null, unreadable: error instanceof OtherFormError ? 'other_form' : 'state_unreadable' };
  }
}

/** What the row itself says. */
function summary(run: RunRecord) {
  return {
    runId: run.id,
    label: run.label,
    configuration: run.configurationIdentifier,
    initiatorId: run.initiatorId,
    waitingSinceMs: run.waitingSinceMs,
    rounds: run.rounds,
    maxRounds: run.maxRounds,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    effect: run.pendingEffect,
    previewRevision: run.previewRevision,
    bounceCount: run.bounceCount,
  };
}

function callViews(
  turn: PendingTurn,
  catalogue: ToolCatalogue,
  { configuration, operator }: { configuration: Configuration | null; operator: Operator | null },
): PendingCallView[] {
  return turn.calls.map((call) => {
    const definition = catalogue.get(call.name);
    const effect = effectByName(definition);
    const isReleased = isShownTo(operator, configuration, definition);
    // Matched by id and tool name: a preview is never shown with its neighbour's call (H-080).
    const shown = turn.previews.find((preview) => preview.callId === call.id && preview.toolName === call.name);
    return {
      id: call.id,
      toolName: call.name,
      effect,
      withheld: isReleased ? null : sizesOf(call.arguments),
      arguments: isReleased ? call.arguments : {},
      edit: editOf(turn, call, isReleased),
      preview: isReleased && isWrite(effect) ? (shown?.preview ?? null) : null,
      target: isReleased ? (shown?.target ?? null) : null,
      place: isReleased ? placeOf(shown?.target ?? null, configuration) : '',
      isStale: turn.staleCallIds.includes(call.id),
    };
  });
}

function editOf(turn: PendingTurn, call: ToolCall, isReleased: boolean): PendingCallView['edit'] {
  const edit = Object.hasOwn(turn.edits, call.id) ? turn.edits[call.id] : undefined;
  return edit ? { original: isReleased ? edit.original : {} } : null;
}

/** All that is told of a question to somebody who may not answer it: what its values are called (H-059). */
const withheldQuestion = (question: CallQuestion): CallQuestion => ({
  ...question,
  schema: {
    type: 'object',
    properties: Object.fromEntries(askedValues(question.schema).map(({ name }) => [name, {}])),
  },
});

/** All that is told of arguments whose values this person may not see (LIM-04). */
const sizesOf = (given: JsonObject): { name: string; bytes: number }[] =>
  Object.entries(given).map(([name, value]) => ({ name, bytes: Buffer.byteLength(JSON.stringify(value)) }));

/** A name on the card may have been given to another file since: the path says which one it is now. */
function placeOf(target: WriteTarget | null, configuration: Configuration | null): string {
  const settings = configuration?.settings;
  if (target?.kind === 'record') return settings?.databases.find(({ name }) => name === target.database)?.path ?? '';
  if (target?.kind === 'file') return settings?.workspaces.find(({ name }) => name === target.workspace)?.path ?? '';
  return '';
}

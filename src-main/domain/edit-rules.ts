import type { CallPreview } from '../../src-shared/preview.ts';
import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor } from './actor.ts';
import { argumentProblems } from './argument-rules.ts';
import type { Configuration } from './configuration.ts';
import {
  accessRefusal,
  configurationRefusal,
  firstForbiddenCall,
  staleRefusal,
  type CardBinding,
} from './decision-gates.ts';
import type { JsonObject } from './json-value.ts';
import type { CallEdit, PendingTurn } from './run.ts';
import { lifecycleEvent, type Facts, type RunChange } from './run-change.ts';
import { suspendedEvent } from './suspend-rules.ts';
import type { ToolCall, ToolDefinition } from './tool.ts';
import { definitionsOf, effectByName, isWrite, pendingColumns } from './turn-rules.ts';

/** Arguments that a person puts in place of those of a call, by call; none = the card is only made anew. */
export type ArgumentEdits = Record<string, JsonObject>;

export interface EditInput extends CardBinding {
  actor: Actor;
  edits: ArgumentEdits;
  /** What the writes of the edited turn would change, as they were planned a moment ago. */
  previews: CallPreview[];
  /** The registry as it is now. */
  tools: ToolDefinition[];
}

/**
 * Puts a person's arguments in place of the model's before anybody approves, or makes a card anew whose tools have changed (T20).
 * The run goes on waiting with another digest and another revision, so no decision about the former card counts. What the model
 * asked for is kept beside it. Whoever edits must be allowed to run what they edit; where a second person is wanted, they may
 * not approve it afterwards.
 * Refuses: not_awaiting_approval, already_decided, configuration_gone, configuration_inactive, state_unreadable, stale_turn,
 * stale_preview, no_such_call, approver_not_permitted, invalid_arguments.
 * Source: architecture.md §5a T20; issue E "Edit before approve".
 */
export function editCard(facts: Facts, input: EditInput): Result<RunChange> {
  const { run, configuration, pendingTurn: turn } = facts;
  const refusal = accessRefusal(facts, input.actor, 'waiting_for_approval') ?? configurationRefusal(facts);
  if (refusal || !run || !configuration) return refused(refusal ?? { kind: 'not_awaiting_approval' });
  if (!turn || turn === 'unreadable') return refused({ kind: 'state_unreadable' });
  const barred = staleRefusal(run, turn, input) ?? editRefusal(turn, facts.operator, configuration, input);
  if (barred) return refused(barred);
  const edited = editedTurn(turn, input);
  const revision = run.previewRevision + 1;
  const effectOf = (name: string) => effectByName(input.tools.find((tool) => tool.name === name));
  const editedIds = Object.keys(input.edits);
  const by = operatorIdOf(input.actor);
  return accepted({
    kind: 'waiting',
    from: 'waiting_for_approval',
    set: { ...pendingColumns(edited, effectOf), previewRevision: revision },
    events: [
      editedIds.length > 0
        ? lifecycleEvent('arguments_edited', { editedBy: by, callIds: editedIds }, turn.round)
        : lifecycleEvent('card_renewed', { renewedBy: by }, turn.round),
      suspendedEvent(edited, revision),
    ],
    pendingTurn: edited,
  });
}

function editRefusal(
  turn: PendingTurn,
  operator: Facts['operator'],
  configuration: Configuration,
  { edits, actor, tools }: EditInput,
): Refusal | null {
  const stranger = Object.keys(edits).find((callId) => !turn.calls.some(({ id }) => id === callId));
  if (stranger !== undefined) return { kind: 'no_such_call', callId: stranger };
  const touched = turn.calls.filter(({ id }) => Object.hasOwn(edits, id));
  const forbidden = firstForbiddenCall(touched, operator, configuration, { actor, tools });
  if (forbidden) return { kind: 'approver_not_permitted', ...forbidden };
  for (const call of touched) {
    const definition = tools.find(({ name }) => name === call.name);
    const problems = definition ? argumentProblems(definition, edits[call.id] as JsonObject) : [];
    if (problems.length > 0) return { kind: 'invalid_arguments', toolName: call.name, problems };
  }
  return null;
}

/** The calls with the edits in place of the model's arguments. */
export const withEdits = (calls: ToolCall[], edits: ArgumentEdits): ToolCall[] =>
  calls.map((call) => (Object.hasOwn(edits, call.id) ? { ...call, arguments: edits[call.id] as JsonObject } : call));

function editedTurn(turn: PendingTurn, { actor, edits, previews, tools }: EditInput): PendingTurn {
  const calls = withEdits(turn.calls, edits);
  return {
    ...turn,
    calls,
    previews: calls.flatMap((call) => previews.find(({ callId }) => callId === call.id) ?? []),
    staleCallIds: [],
    definitions: definitionsOf(calls, (name) => tools.find((tool) => tool.name === name)),
    edits: { ...turn.edits, ...Object.fromEntries(Object.keys(edits).map((id) => [id, editOf(turn, id, actor)])) },
  };
}

/** The first original stays; everybody who changed the call is named once. */
function editOf(turn: PendingTurn, callId: string, actor: Actor): CallEdit {
  const before = Object.hasOwn(turn.edits, callId) ? turn.edits[callId] : undefined;
  const original = before?.original ?? turn.calls.find(({ id }) => id === callId)?.arguments ?? {};
  return { original, editedBy: [...new Set([...(before?.editedBy ?? []), operatorIdOf(actor)])] };
}

/** Writes whose preview an edit has to be made of. No tool is asked about arguments that do not fit it. */
export const writesOf = (calls: ToolCall[], tools: ToolDefinition[]): ToolCall[] =>
  calls.filter((call) => {
    const definition = tools.find(({ name }) => name === call.name);
    return definition && isWrite(definition.effect) && argumentProblems(definition, call.arguments).length === 0;
  });

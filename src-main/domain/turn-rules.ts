import { describeTarget } from '../../src-shared/write-target.ts';
import { isBlindPreview } from '../../src-shared/blind-preview.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';
import { digest, sameDigest } from './digest.ts';
import type { JsonValue } from './json-value.ts';
import type { PendingTurn } from './run.ts';
import type { RunColumns } from './run-change.ts';
import type { ToolCall, ToolDefinition } from './tool.ts';

/**
 * The digest that binds a decision to a turn: every pending call in order, in the
 * stored shape. Not covered: transcript, counters, previews, run id — previews are
 * bound by their revision beside it.
 * Source: human-decisions.md §5.
 */
export function turnDigest(calls: ToolCall[]): string {
  return digest('turn/1:', pendingCalls(calls));
}

const pendingCalls = (calls: ToolCall[]): JsonValue[] =>
  calls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }));

/**
 * The digest that binds answers to a turn: its calls and what was asked, so answers
 * can never count for another question, nor an approval for a question.
 * Source: human-decisions.md §5 "input digest".
 */
function inputDigest({ calls, questions }: PendingTurn): string {
  return digest('input/1:', { calls: pendingCalls(calls), questions });
}

/** Whether a turn waits for answers. The one predicate; nothing else says which kind of pause it is. */
export const asksForInput = (turn: Pick<PendingTurn, 'questions'>): boolean => turn.questions.length > 0;

/** The digest that a decision about this turn must name. */
export const turnBinding = (turn: PendingTurn): string =>
  asksForInput(turn) ? inputDigest(turn) : turnDigest(turn.calls);

/** The digest of the previews as shown, recorded with the decision so that it can be proved later what was on the card. */
export function previewDigest(turn: PendingTurn): string {
  return digest('preview/1:', turn.previews);
}

/** The digest of a tool as it is defined: whatever changes of it, the person has seen another tool. */
export const definitionDigest = (definition: ToolDefinition): string => digest('tool/1:', definition);

/** The tools of a turn as they are defined now, by name; unknown ones are left out. */
export function definitionsOf(
  calls: ToolCall[],
  find: (name: string) => ToolDefinition | undefined,
): Record<string, string> {
  const known = [...new Set(calls.map(({ name }) => name))].flatMap((name) => find(name) ?? []);
  return Object.fromEntries(known.map((definition) => [definition.name, definitionDigest(definition)]));
}

/** Whether a tool is still defined as it was when the card was made. */
export const isAsShown = (turn: Pick<PendingTurn, 'definitions'>, definition: ToolDefinition): boolean =>
  Object.hasOwn(turn.definitions, definition.name) &&
  sameDigest(turn.definitions[definition.name], definitionDigest(definition));

/** Writes of a turn that no readable preview shows. */
export const blindCalls = (turn: PendingTurn, tools: ToolDefinition[]): ToolCall[] =>
  turn.calls.filter((call) => {
    const shown = turn.previews.find(({ callId, toolName }) => callId === call.id && toolName === call.name);
    return (
      isBlindPreview(shown?.preview ?? null) && isWrite(effectByName(tools.find(({ name }) => name === call.name)))
    );
  });

export const isWrite = (effect: ToolEffect): boolean => effect !== 'read_only';

/** The effect of a tool by name: an unknown or removed tool counts as the strictest (runtime.md §1.5). */
export function effectByName(definition: ToolDefinition | undefined): ToolEffect {
  return definition?.effect ?? 'non_idempotent_write';
}

const STRICTNESS: Record<ToolEffect, number> = { read_only: 0, idempotent_write: 1, non_idempotent_write: 2 };

/** The columns lists need of a pending turn: its first question (else write, else call), the strictest effect of the turn, and its target. */
export function pendingColumns(turn: PendingTurn, effectOf: (toolName: string) => ToolEffect): RunColumns {
  const asking = turn.calls.find((call) => call.id === turn.questions[0]?.callId);
  const shown = asking ?? turn.calls.find((call) => isWrite(effectOf(call.name))) ?? turn.calls[0];
  const target = turn.previews.find((preview) => preview.callId === shown?.id)?.target ?? null;
  const effects = turn.calls.map((call) => effectOf(call.name));
  return {
    pendingTool: shown?.name ?? '',
    pendingEffect: effects.reduce<ToolEffect>(
      (worst, effect) => (STRICTNESS[effect] > STRICTNESS[worst] ? effect : worst),
      'read_only',
    ),
    pendingTarget: [
      ...(target ? [describeTarget(target)] : []),
      ...(turn.calls.length > 1 ? [`+ ${turn.calls.length - 1} more`] : []),
    ].join(' '),
    turnDigest: turnBinding(turn),
  };
}

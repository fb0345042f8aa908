import type { CallPreview } from '../../src-shared/preview.ts';
import { deniedBefore } from '../domain/denied-before.ts';
import type { Ownership } from '../domain/ownership-rules.ts';
import type { PendingTurn } from '../domain/run.ts';
import type { SuspendInput } from '../domain/suspend-rules.ts';
import type { ToolCall, ToolDefinition } from '../domain/tool.ts';
import { needsApproval } from '../domain/approval-rule.ts';
import { definitionsOf, isWrite } from '../domain/turn-rules.ts';
import type { Segment } from './segment.ts';

export const byName = (tools: ToolDefinition[]): Map<string, ToolDefinition> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** What a turn needs of a person before any of its calls runs. An approval comes first: it is judged on the whole turn (§3.1). */
export function personNeeded(calls: ToolCall[], offered: Map<string, ToolDefinition>): 'approval' | 'input' | null {
  if (calls.some((call) => needsApproval(offered.get(call.name)))) return 'approval';
  return calls.some((call) => offered.get(call.name)?.requiresInput) ? 'input' : null;
}

/** Calls that would ask a person who has declined the very same before, in this run. */
export const repeatedCalls = (segment: Segment, calls: ToolCall[], offered: Map<string, ToolDefinition>): ToolCall[] =>
  calls.filter((call) => needsApproval(offered.get(call.name)) && deniedBefore(segment.transcript(), call) > 0);

/** What the turn would change. Only offered writes are previewed: a read has nothing to show and would count as a broken preview (H-062, H-067). */
export async function planTurn(
  segment: Segment,
  calls: ToolCall[],
  offered: Map<string, ToolDefinition>,
): Promise<CallPreview[]> {
  const planned = calls.filter((call) => offered.has(call.name) && isWrite(segment.effectOf(call.name)));
  const previews =
    planned.length > 0 ? await segment.ports.tools.planTurn(planned, segment.toolContext(), segment.signal) : [];
  segment.signal.throwIfAborted();
  return previews;
}

/** The card of a decided turn with what its calls would do now; `stale` are the calls that are not what was approved. */
export const renewedCard = (segment: Segment, turn: PendingTurn, current: CallPreview[], stale: ToolCall[]): Card => ({
  turn: {
    ...turn,
    previews: turn.previews.map((preview) => current.find(({ callId }) => callId === preview.callId) ?? preview),
    staleCallIds: stale.map((call) => call.id),
    definitions: definitionsOf(turn.calls, (name) => segment.ports.catalogue.get(name)),
  },
  effects: effectsOf(segment, turn.calls),
});

/** What differs between cards. */
export type CardParts = Pick<PendingTurn, 'calls' | 'previews' | 'questions'>;

/** What the pause of a turn stores. */
export type Card = Omit<SuspendInput, keyof Ownership>;

export const cardOf = (segment: Segment, round: number, parts: CardParts): Card => ({
  turn: {
    v: 2,
    round,
    ...parts,
    staleCallIds: [],
    definitions: definitionsOf(parts.calls, (name) => segment.ports.catalogue.get(name)),
    edits: {},
  },
  effects: effectsOf(segment, parts.calls),
});

const effectsOf = (segment: Segment, calls: ToolCall[]): Card['effects'] =>
  Object.fromEntries(calls.map((call) => [call.name, segment.effectOf(call.name)]));

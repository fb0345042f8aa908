import type { CallRefusal, PrivacyLevel, ToolOutcome } from '../../src-shared/vocabulary.ts';
import type { ContextBreakdown } from './context-fit.ts';
import { DENIAL_MARK, withoutNote } from './denial-text.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Message } from './message.ts';
import { filterPayload } from './privacy-filter.ts';
import type { EventDraft, ModelAttempt, Usage } from './run.ts';
import type { RecordedWrite, ToolCall } from './tool.ts';
import type { gateFindings } from './tool-gate-rules.ts';

/** Where and how a step is recorded. */
export interface StepContext {
  round: number;
  privacy: PrivacyLevel;
}

const step = (kind: EventDraft['kind'], context: StepContext, durationMs: number, payload: JsonObject): EventDraft => ({
  kind,
  round: context.round,
  durationMs,
  payload: filterPayload(payload, context.privacy),
});

/**
 * What a model is asked: the messages, the tools it may use, which it may not and why, and the room they take. A round is
 * measured and asked in one event; only one that is measured and not asked has a `context` event of its own.
 */
export function requestEvent(
  context: StepContext,
  messages: Message[],
  toolNames: string[],
  gate: ReturnType<typeof gateFindings>,
  breakdown: ContextBreakdown,
): EventDraft {
  return step('request', context, 0, {
    messagesSent: messages.map(withoutTheirNote) as unknown as JsonValue[],
    toolSpecs: toolNames,
    ...(gate.findings.length > 0
      ? { toolsDenied: gate.findings as unknown as JsonValue[], trustZone: gate.zone, zoneCeiling: gate.ceiling }
      : {}),
    ...(breakdown.measured ? { context: { ...breakdown } } : {}),
  });
}

/** A person's words with a denial reach the model and no event (H-160). */
const withoutTheirNote = (message: Message): Message =>
  message.role === 'tool' && message.isError && message.content.startsWith(DENIAL_MARK)
    ? { ...message, content: withoutNote(message.content) }
    : message;

/** A question that does not fit into the model's room, whatever is left out: it is not asked. */
export const contextEvent = (context: StepContext, breakdown: ContextBreakdown): EventDraft =>
  step('context', context, 0, { ...breakdown });

/** What a model said: text, calls as read, tokens; which model, and which were asked before it in vain. Null usage parts are omitted, 0 is kept. */
export function modelEvent(
  context: StepContext,
  durationMs: number,
  answer: {
    text: string;
    thinking: string;
    finishReason: string;
    calls: ToolCall[];
    usage: Usage;
    model: string;
    fallback: string | null;
    attempts: ModelAttempt[];
  },
): EventDraft {
  return step('llm', context, durationMs, {
    content: answer.text,
    ...(answer.thinking ? { thinking: answer.thinking } : {}),
    finishReason: answer.finishReason,
    model: answer.model,
    ...(answer.fallback === null ? {} : { fallback: answer.fallback }),
    ...(answer.attempts.length > 0 ? { attempts: answer.attempts } : {}),
    promptTokens: answer.usage.inputTokens,
    completionTokens: answer.usage.outputTokens,
    totalTokens: answer.usage.inputTokens + answer.usage.outputTokens,
    ...(answer.usage.costMicros === null ? {} : { costMicros: answer.usage.costMicros }),
    requestedToolCalls: answer.calls as unknown as JsonValue[],
  });
}

/** What is particular about a call. */
export interface ToolMarks {
  /** An interrupted attempt had made its write already. */
  isRecovered?: boolean;
  /** It ran with arguments that a person put in place of the model's. */
  isEdited?: boolean;
  /** Why a decision did not release it. */
  refusal?: CallRefusal;
  /** How often a person, or this rule, had refused the very same call before. */
  deniedBefore?: number;
}

/** One call, executed or refused. */
export function toolEvent(
  context: StepContext,
  durationMs: number,
  call: ToolCall,
  result: { outcome: ToolOutcome; content: string } & ToolMarks,
): EventDraft {
  return step('tool', context, durationMs, {
    toolName: call.name,
    toolCallId: call.id,
    toolArguments: call.arguments,
    toolResult: result.refusal === 'denied' ? withoutNote(result.content) : result.content,
    toolIsError: result.outcome !== 'ok',
    outcome: result.outcome,
    ...(result.refusal ? { refusal: result.refusal } : {}),
    ...(result.isRecovered ? { recovered: true } : {}),
    ...(result.isEdited ? { edited: true } : {}),
    ...(result.deniedBefore ? { deniedBefore: result.deniedBefore } : {}),
  });
}

/** The record a successful write changed: identity only, no field values, at every privacy level. */
export function toolWriteEvent(context: StepContext, call: ToolCall, write: RecordedWrite): EventDraft {
  return {
    kind: 'tool_write',
    round: context.round,
    durationMs: 0,
    payload: {
      toolName: call.name,
      toolCallId: call.id,
      target: write.target,
      kind: write.kind,
      completeness: write.completeness,
    },
  };
}

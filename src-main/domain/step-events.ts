import type { PrivacyLevel, ToolOutcome } from '../../src-shared/vocabulary.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Message } from './message.ts';
import { filterPayload } from './privacy-filter.ts';
import type { EventDraft } from './run.ts';
import type { Usage } from './segment-rules.ts';
import type { RecordedWrite, ToolCall } from './tool.ts';

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

export function requestEvent(context: StepContext, messages: Message[], toolNames: string[]): EventDraft {
  return step('request', context, 0, { messagesSent: messages as unknown as JsonValue[], toolSpecs: toolNames });
}

/** What a model said: text, calls as read, tokens. Null usage parts are omitted, 0 is kept. */
export function modelEvent(
  context: StepContext,
  durationMs: number,
  answer: { text: string; thinking: string; finishReason: string; calls: ToolCall[]; usage: Usage },
): EventDraft {
  return step('llm', context, durationMs, {
    content: answer.text,
    ...(answer.thinking ? { thinking: answer.thinking } : {}),
    finishReason: answer.finishReason,
    promptTokens: answer.usage.inputTokens,
    completionTokens: answer.usage.outputTokens,
    totalTokens: answer.usage.inputTokens + answer.usage.outputTokens,
    ...(answer.usage.costMicros === null ? {} : { costMicros: answer.usage.costMicros }),
    requestedToolCalls: answer.calls as unknown as JsonValue[],
  });
}

/** One call, executed or refused. */
export function toolEvent(
  context: StepContext,
  durationMs: number,
  call: ToolCall,
  result: { outcome: ToolOutcome; content: string; isRecovered?: boolean },
): EventDraft {
  return step('tool', context, durationMs, {
    toolName: call.name,
    toolCallId: call.id,
    toolArguments: call.arguments,
    toolResult: result.content,
    toolIsError: result.outcome !== 'ok',
    outcome: result.outcome,
    ...(result.isRecovered ? { recovered: true } : {}),
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

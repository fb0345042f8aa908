import { readCalls, type ReadCall } from '../domain/argument-rules.ts';
import type { Message } from '../domain/message.ts';
import type { RequestedCall } from '../domain/model-client.ts';
import type { Usage } from '../domain/segment-rules.ts';
import type { ToolDefinition } from '../domain/tool.ts';
import type { Segment } from './segment.ts';

/** A model's whole answer, read and safe to store. */
export interface Answer {
  text: string;
  thinking: string;
  finishReason: string;
  calls: ReadCall[];
  usage: Usage;
  durationMs: number;
}

/**
 * Asks the segment's model and collects the stream. Text is made well-formed: half
 * a surrogate pair could be neither hashed nor sent on.
 * Faults: `ModelError`; the signal's reason when the segment is stopped meanwhile;
 * `Error` when a client breaks its promise and ends without a `finish` part: half an
 * answer must not become the run's answer.
 */
export async function askModel(segment: Segment, messages: Message[], tools: ToolDefinition[]): Promise<Answer> {
  const { clock, catalogue } = segment.ports;
  const client = await segment.ports.modelFor(segment.configuration);
  const startedMs = clock.monotonicMs();
  const answer: Answer = {
    text: '',
    thinking: '',
    finishReason: '',
    calls: [],
    usage: { inputTokens: 0, outputTokens: 0, costMicros: null },
    durationMs: 0,
  };
  const requested: RequestedCall[] = [];
  let isWhole = false;
  const request = {
    messages,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    runId: segment.run.id,
    temperature: segment.request.temperature ?? undefined,
    maxOutputTokens: segment.request.maxOutputTokens ?? undefined,
  };
  for await (const part of client.complete(request, segment.signal)) {
    if (part.type === 'text') answer.text += part.text;
    else if (part.type === 'thinking') answer.thinking += part.text;
    else if (part.type === 'call') requested.push(wellFormed(part.call));
    else {
      isWhole = true;
      answer.finishReason = part.reason;
      answer.usage = {
        inputTokens: part.inputTokens ?? 0,
        outputTokens: part.outputTokens ?? 0,
        costMicros: part.costMicros,
      };
    }
  }
  if (!isWhole) {
    segment.signal.throwIfAborted();
    throw new Error('The model client ended its answer without a finish part.');
  }
  answer.text = answer.text.toWellFormed();
  answer.thinking = answer.thinking.toWellFormed();
  answer.finishReason = answer.finishReason.toWellFormed();
  answer.calls = readCalls(requested, (name) => catalogue.get(name));
  answer.durationMs = clock.monotonicMs() - startedMs;
  return answer;
}

const wellFormed = (call: RequestedCall): RequestedCall => ({
  id: call.id.toWellFormed(),
  name: call.name.toWellFormed(),
  argumentsText: call.argumentsText,
});

import { readCalls, type ReadCall } from '../domain/argument-rules.ts';
import { costOf } from '../domain/budget-rules.ts';
import type { Configuration } from '../domain/configuration.ts';
import { fitContext } from '../domain/context-fit.ts';
import { endpointOf } from '../domain/endpoint-rules.ts';
import { classifyFailure, isRetryable } from '../domain/failure-rules.ts';
import type { Message } from '../domain/message.ts';
import { MAX_CALLS_IN_ANSWER } from '../domain/limits.ts';
import { ModelError, type ModelClient, type RequestedCall } from '../domain/model-client.ts';
import { contextRoom, type ModelQuestion } from '../domain/model-question.ts';
import type { ModelAttempt, Usage } from '../domain/run.ts';
import { modelChain } from './model-chain.ts';
import type { Segment } from './segment.ts';

/** A model's whole answer, read and safe to store. */
export interface Answer {
  text: string;
  thinking: string;
  finishReason: string;
  calls: ReadCall[];
  usage: Usage;
  durationMs: number;
  /** The model that answered, by its own name. */
  model: string;
  /** The configuration it belongs to, when it is not the run's own. */
  fallback: string | null;
  /** What was asked before it, in vain. */
  attempts: ModelAttempt[];
}

/**
 * Asks the segment's model, then its fallbacks while asking elsewhere can help. What the chain
 * comes to is its last failure; `segment.attempts` holds all of them.
 * Faults: `ModelError`; the signal's reason when the segment is stopped meanwhile;
 * `Error` when a client breaks its promise and ends without a `finish` part: half an
 * answer must not become the run's answer.
 * Source: runtime.md §1.4.
 */
export async function askModel(segment: Segment, question: ModelQuestion): Promise<Answer> {
  const { clock } = segment.ports;
  const attempts: ModelAttempt[] = [];
  segment.attempts = attempts;
  let failure = new Error('No model was asked.');
  for (const configuration of await modelChain(segment.ports, segment.configuration)) {
    const isOwn = configuration.id === segment.configuration.id;
    const messages = isOwn ? question.messages : messagesFor(segment, configuration, question);
    if (!messages) continue;
    const startedMs = clock.monotonicMs();
    try {
      const answer = await askOne(segment, configuration, messages, question.tools);
      return { ...answer, fallback: isOwn ? null : configuration.identifier, attempts };
    } catch (error) {
      segment.signal.throwIfAborted();
      failure = error as Error;
      const failureClass = classifyFailure(error);
      attempts.push({
        configuration: configuration.identifier,
        failureClass,
        durationMs: clock.monotonicMs() - startedMs,
      });
      if (!isRetryable(failureClass)) break;
    }
  }
  throw failure;
}

/** The transcript as it fits into another model's room; null when it does not. */
function messagesFor(segment: Segment, configuration: Configuration, { tools }: ModelQuestion): Message[] | null {
  const room = contextRoom(configuration, segment.request, segment.calibration);
  const { messages, fits } = fitContext(segment.messages, tools, room);
  return fits ? messages : null;
}

type OneAnswer = Omit<Answer, 'fallback' | 'attempts'>;

/** An answer before it is priced. `isCounted`: the server said how many tokens it took. */
type CollectedAnswer = Omit<OneAnswer, 'model'> & { isCounted: boolean };

/** Asks one model. A server that failed again and again is left alone for a while. */
async function askOne(
  segment: Segment,
  configuration: Configuration,
  messages: Message[],
  tools: ModelQuestion['tools'],
): Promise<OneAnswer> {
  const { breakers, modelFor } = segment.ports;
  const { identifier, settings } = configuration;
  const { endpoint } = endpointOf(settings.model);
  if (breakers.isOpen(endpoint)) {
    throw new ModelError(
      'circuitOpen',
      `The model of ${identifier} failed several times in a row and is left alone for a while. It is asked again by itself.`,
    );
  }
  try {
    const { isCounted, ...answer } = await collect(segment, await modelFor(configuration), messages, tools);
    breakers.answered(endpoint);
    // Tokens that nobody counted have no price: 0 of them would look free.
    answer.usage.costMicros = costOf(answer.usage, isCounted ? settings.prices : null);
    return { ...answer, model: settings.model.kind === 'scripted' ? 'scripted' : settings.model.modelId };
  } catch (error) {
    if (!segment.signal.aborted) breakers.failed(endpoint, classifyFailure(error));
    throw error;
  }
}

/** Collects the stream of one answer. Text is made well-formed: half a surrogate pair could be neither hashed nor sent on. */
async function collect(
  segment: Segment,
  client: ModelClient,
  messages: Message[],
  tools: ModelQuestion['tools'],
): Promise<CollectedAnswer> {
  const { clock, catalogue } = segment.ports;
  const startedMs = clock.monotonicMs();
  const answer: CollectedAnswer = {
    text: '',
    thinking: '',
    finishReason: '',
    calls: [],
    usage: { inputTokens: 0, outputTokens: 0, costMicros: null },
    isCounted: false,
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
    else if (part.type === 'call') {
      requested.push(wellFormed(part.call));
      if (requested.length > MAX_CALLS_IN_ANSWER)
        throw new ModelError('clientError', `The model asked for more than ${MAX_CALLS_IN_ANSWER} calls at once.`);
    } else {
      isWhole = true;
      answer.finishReason = part.reason;
      answer.isCounted = part.inputTokens !== null && part.outputTokens !== null;
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

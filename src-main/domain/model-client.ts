import type { FailureClass } from '../../src-shared/vocabulary.ts';
import type { Message } from './message.ts';
import type { ToolDefinition } from './tool.ts';

/** One question to a model. `tools` empty = a plain completion; an empty list is never sent as a tools request. */
export interface ModelRequest {
  messages: Message[];
  tools: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>[];
  /** Correlates provider calls with the run; sent where the provider has a field for it. */
  runId: string;
  temperature?: number;
  maxOutputTokens?: number;
}

/**
 * A call as the model wrote it. `argumentsText` is the raw JSON text: parsing and
 * validating it is a rule of ours, so a malformed call is kept and answered, never
 * executed on silently emptied arguments (D-12).
 */
export interface RequestedCall {
  id: string;
  name: string;
  argumentsText: string;
}

/** The stream of an answer. Exactly one `finish` part ends it. Tokens and cost are null when the provider does not say. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; call: RequestedCall }
  | {
      type: 'finish';
      reason: string;
      inputTokens: number | null;
      outputTokens: number | null;
      costMicros: number | null;
    };

/**
 * A model that can be asked. Our own port: no provider's tool loop and no
 * provider's approval flow stands beside ours.
 * Faults: `ModelError` for every failure the adapter can classify; anything else is a bug.
 */
export interface ModelClient {
  complete(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/**
 * A classified failure of a model call. `sentence` is plain, our own, safe to store
 * and show: no key, no body, no stack. `cause` keeps the original for the log.
 */
export class ModelError extends Error {
  readonly failureClass: FailureClass;
  /** Seconds the provider asked us to wait, or null. */
  readonly retryAfterSeconds: number | null;
  constructor(failureClass: FailureClass, sentence: string, cause?: unknown, retryAfterSeconds: number | null = null) {
    super(sentence, { cause });
    this.name = 'ModelError';
    this.failureClass = failureClass;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

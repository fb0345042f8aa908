import { basename } from 'node:path';
import type { JsonObject } from '../domain/json-value.ts';
import type { Message } from '../domain/message.ts';
import { ModelError, type ModelClient, type ModelPart, type ModelRequest } from '../domain/model-client.ts';
import type { ModelDependencies } from './model-dependencies.ts';
import { conditionHolds } from './scenario-conditions.ts';
import { loadScenario, scenarioFault, type Scenario, type ScenarioAnswer } from './scenario.ts';
import { MissingReferenceError, renderText, renderValue, type TemplateScope } from './template-values.ts';
import { proveTranscript } from './transcript-linter.ts';

const DEFAULT_CLOSING = 'That was all I had to do.';

/** UTF-8 bytes per token, as the runtime's own estimate for prose (runtime.md §2). */
const BYTES_PER_TOKEN = 3.5;

/** Characters per streamed part: enough parts to see that a text is being written, few enough not to flood. */
const TEXT_PART_LENGTH = 40;

/**
 * The embedded model: plays a scenario file. Its answer follows from the request
 * alone: the turn is the number of assistant messages since the first user
 * message, texts and arguments are filled in from the prompt and the tool
 * results. So a run may continue in another process, and one scenario reacts to
 * different data. It never calls tools when none are offered.
 * Faults: `ModelError` — `configuration` for a scenario that cannot be played, the scripted class for a scripted
 * failure; the signal's reason when the caller aborts.
 */
export function createScriptedClient(
  options: { scenarioPath: string },
  dependencies: Pick<ModelDependencies, 'startTimer'>,
): ModelClient {
  const fileName = basename(options.scenarioPath);
  return {
    async *complete(request, signal) {
      signal.throwIfAborted();
      proveTranscript(request.messages);
      const scenario = await loadScenario(options.scenarioPath);
      const conversation = readConversation(request.messages, scenario);
      const answer = playTurn(fileName, scenario, conversation, request);
      await wait(answer.delayMs, signal, dependencies.startTimer);
      for (const text of splitText(answer.text)) {
        signal.throwIfAborted();
        yield { type: 'text', text };
      }
      if (answer.failure) throw answer.failure;
      yield* finishTurn(request, answer, signal);
    },
  };
}

interface Conversation {
  scope: TemplateScope;
  /** From 1. */
  turn: number;
}

function readConversation(messages: Message[], scenario: Scenario): Conversation {
  const first = messages.findIndex((message) => message.role === 'user');
  const since = messages.slice(Math.max(0, first));
  return {
    scope: {
      prompt: messages[first]?.content ?? '',
      results: since.filter((message) => message.role === 'tool'),
      values: Object.entries((scenario.values ?? {}) as JsonObject),
    },
    turn: since.filter((message) => message.role === 'assistant').length + 1,
  };
}

interface PlayedTurn {
  text: string;
  calls: Extract<ModelPart, { type: 'call' }>[];
  delayMs: number;
  failure: ModelError | null;
}

function playTurn(fileName: string, scenario: Scenario, conversation: Conversation, request: ModelRequest): PlayedTurn {
  const { scope, turn } = conversation;
  try {
    const closing = (): string => renderText(scenario.closing ?? DEFAULT_CLOSING, scope);
    const answer = chooseAnswer(fileName, scenario, conversation);
    if (!answer) return { text: closing(), calls: [], delayMs: 0, failure: null };
    const calls = request.tools.length === 0 ? [] : (answer.calls ?? []);
    const written = renderText(answer.text ?? '', scope);
    return {
      text: written === '' && calls.length === 0 && !answer.fail ? closing() : written,
      calls: calls.map((call, index) => ({
        type: 'call',
        call: {
          id: callId(request.runId, turn, index),
          name: call.name,
          argumentsText: JSON.stringify(renderValue(call.arguments as JsonObject, scope)),
        },
      })),
      delayMs: answer.delayMs ?? 0,
      failure: toFailure(answer.fail),
    };
  } catch (error) {
    if (!(error instanceof MissingReferenceError)) throw error;
    throw scenarioFault(fileName, `turn ${turn} needs ${error.reference}, which has no value here`, error);
  }
}

/** The answer of this turn; null after the last one. */
function chooseAnswer(fileName: string, scenario: Scenario, { scope, turn }: Conversation): ScenarioAnswer | null {
  const entry = scenario.turns[turn - 1];
  if (!entry) return null;
  if (!entry.branches) return entry;
  const branch = entry.branches.find(({ when }) => !when || conditionHolds(when, scope));
  if (!branch) throw scenarioFault(fileName, `no branch of turn ${turn} fits; add one without a condition`);
  return branch;
}

function toFailure(fail: ScenarioAnswer['fail']): ModelError | null {
  if (!fail) return null;
  const sentence = fail.sentence ?? `The scripted model failed as its scenario says (${fail.class}).`;
  return new ModelError(fail.class, sentence, undefined, fail.retryAfterSeconds ?? null);
}

/** The same in every process. Without the dashes of a run id it keeps within the 40 characters that some providers allow. */
function callId(runId: string, turn: number, index: number): string {
  return `${runId.replaceAll('-', '')}_${turn}_${index}`;
}

function* finishTurn(request: ModelRequest, answer: PlayedTurn, signal: AbortSignal): Generator<ModelPart> {
  signal.throwIfAborted();
  yield* answer.calls;
  yield {
    type: 'finish',
    reason: answer.calls.length > 0 ? 'tool_calls' : 'stop',
    inputTokens: estimateTokens([request.messages, request.tools]),
    outputTokens: estimateTokens([answer.text, answer.calls.map((part) => part.call)]),
    costMicros: 0,
  };
}

function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
}

function splitText(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
    if (part !== '' && part.length + word.length > TEXT_PART_LENGTH) {
      parts.push(part);
      part = '';
    }
    part += word;
  }
  return part === '' ? parts : [...parts, part];
}

async function wait(delayMs: number, signal: AbortSignal, startTimer: ModelDependencies['startTimer']): Promise<void> {
  signal.throwIfAborted();
  if (delayMs === 0) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = startTimer(delayMs, end);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}

import type { ModelTestView } from '../../src-shared/views/model-test-view.ts';
import { boundText } from '../domain/bounded-text.ts';
import { ModelError, type ModelClient, type ModelRequest } from '../domain/model-client.ts';
import type { ModelDependencies } from './model-dependencies.ts';

const MAX_ANSWER_BYTES = 500;
const MAX_DETAIL_BYTES = 600;
/** A local model may have to be loaded first; longer than this a person does not watch a button. */
const PROBE_LIMIT_MS = 30_000;

/** Changes nothing and is never executed: whether the model asks for it is all that counts. */
const REPORT_READY = {
  name: 'report_ready',
  description: 'Reports that you are ready to work. Call it once; it needs nothing and changes nothing.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

const QUESTION: ModelRequest = {
  messages: [{ role: 'user', content: 'Call the tool report_ready now. Do not explain anything.' }],
  tools: [REPORT_READY],
  runId: '',
};

/**
 * Asks a model one short question and says what came of it, as facts for a person:
 * how long it took, its first words, whether it calls tools; or why it failed, in the
 * adapter's own sentence with the redacted words of the server. Nothing is executed,
 * stored or logged, and the key stands in no part of the answer.
 */
export async function probeModel(
  client: ModelClient,
  { startTimer, monotonicMs }: Pick<ModelDependencies, 'startTimer'> & { monotonicMs(): number },
): Promise<ModelTestView> {
  const limit = new AbortController();
  const stopTimer = startTimer(PROBE_LIMIT_MS, () => limit.abort(tookTooLong()));
  const startedMs = monotonicMs();
  try {
    const { text, callsTools } = await collect(client, limit.signal);
    const durationMs = Math.round(monotonicMs() - startedMs);
    return { reached: true, durationMs, answer: boundText(text, MAX_ANSWER_BYTES), callsTools };
  } catch (error) {
    return failed(error);
  } finally {
    stopTimer();
  }
}

async function collect(client: ModelClient, signal: AbortSignal): Promise<{ text: string; callsTools: boolean }> {
  let text = '';
  let callsTools = false;
  for await (const part of client.complete(QUESTION, signal)) {
    if (part.type === 'text' && text.length < MAX_ANSWER_BYTES) text += part.text;
    if (part.type === 'call' && part.call.name === REPORT_READY.name) callsTools = true;
  }
  return { text, callsTools };
}

function failed(error: unknown): ModelTestView {
  if (!(error instanceof ModelError)) {
    // Not classified, so nobody knows what its message holds: only its kind is told.
    const detail = error instanceof Error ? error.name : '';
    const sentence = 'The test failed for an unexpected reason. Check the address and the model name.';
    return { reached: false, failureClass: 'unknown', sentence, detail };
  }
  const { cause, failureClass, message } = error;
  const detail = cause instanceof Error ? boundText(cause.message, MAX_DETAIL_BYTES) : '';
  return { reached: false, failureClass, sentence: message, detail };
}

const tookTooLong = (): ModelError =>
  new ModelError(
    'connection',
    `The answer was not complete within ${PROBE_LIMIT_MS / 1000} s. Try again when the model is loaded, or check the server.`,
  );

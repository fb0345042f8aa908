import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import { MAX_CALLS_PER_TURN } from '../domain/limits.ts';
import type { Message } from '../domain/message.ts';
import type { EventDraft } from '../domain/run.ts';
import { modelEvent, toolEvent } from '../domain/step-events.ts';
import type { ToolCall } from '../domain/tool.ts';
import type { Answer } from './ask-model.ts';
import { toolMessage } from './run-call.ts';
import type { Segment, Step } from './segment.ts';
import { byName, cardOf, personNeeded, planTurn, repeatedCalls, type Card } from './turn-card.ts';

function llmEvent(segment: Segment, answer: Answer, round: number): EventDraft {
  return modelEvent({ round, privacy: segment.configuration.settings.privacy }, answer.durationMs, {
    ...answer,
    calls: answer.calls.map(({ call }) => call),
  });
}

/**
 * The checkpoint of a round: the assistant's turn and, with it, the answers to calls
 * that could not be read. What is left open is well-formed and is taken up next.
 *
 * A turn to approve is planned first and stored together with its pause, in one transaction:
 * then the segment is over. A worker that dies over the planning asks the model again, which
 * costs a call, and nobody has seen the lost answer. Planning that fails or is stopped leaves
 * the answer stored alone.
 */
export async function storeAnswer(segment: Segment, answer: Answer, round: number): Promise<RunOutcome | null> {
  const context = { round, privacy: segment.configuration.settings.privacy };
  const calls = answer.calls.map(({ call }) => call);
  const rejected = answer.calls.flatMap(({ call, problem }) =>
    problem === null ? [] : [{ call, result: { outcome: 'refused' as const, content: `Error: ${problem}` } }],
  );
  const assistant: Message = { role: 'assistant', content: answer.text, toolCalls: calls };
  const step: Step = {
    events: [
      llmEvent(segment, answer, round),
      ...rejected.map(({ call, result }) => toolEvent(context, 0, call, result)),
    ],
    messages: [assistant, ...rejected.map(({ call, result }) => toolMessage(call, result))],
    usage: answer.usage,
    rounds: 1,
    phase: 'tools',
  };
  if (rejected.length > 0) return checkpoint(segment, step);
  let card: Card | null;
  try {
    card = await cardToApprove(segment, calls, round);
  } catch (error) {
    const stop = await checkpoint(segment, step);
    if (stop) return stop;
    throw error;
  }
  return card ? segment.recordAndWait(step, card) : checkpoint(segment, step);
}

async function checkpoint(segment: Segment, step: Step): Promise<RunOutcome | null> {
  const stop = await segment.record(step);
  if (!stop) segment.ports.crashPoint('after_answer');
  return stop;
}

/** The card of a turn that needs an approval, planned; null for any other turn. */
async function cardToApprove(segment: Segment, calls: ToolCall[], round: number): Promise<Card | null> {
  const offered = byName(await segment.offered());
  if (repeatedCalls(segment, calls, offered).length > 0) return null;
  if (personNeeded(calls, offered) !== 'approval' || calls.length > MAX_CALLS_PER_TURN) return null;
  return cardOf(segment, round, { calls, previews: await planTurn(segment, calls, offered), questions: [] });
}

/** The last answer and the end of the run, together. */
export async function endWith(
  segment: Segment,
  answer: Answer,
  round: number,
  reason: 'completed' | 'max_iterations',
): Promise<RunOutcome> {
  const stop = await segment.recordAndComplete(
    {
      events: [llmEvent(segment, answer, round)],
      messages: [{ role: 'assistant', content: answer.text }],
      usage: answer.usage,
      rounds: reason === 'completed' ? 1 : 0,
      phase: 'model',
    },
    { reason, answer: answer.text },
  );
  return stop ?? 'completed';
}

/** The end of a run that may ask nothing more: what it did is kept, there is no answer, and the reason says why. */
export async function endUnanswered(
  segment: Segment,
  reason: 'budget_exhausted' | 'context_truncated',
  events: EventDraft[],
): Promise<RunOutcome> {
  segment.ports.report({ warning: `a run ended: ${reason}` }, `run ${segment.run.id}`);
  return (await segment.recordAndComplete({ events, phase: 'model' }, { reason, answer: '' })) ?? 'completed';
}

import type { CallPreview } from '../../src-shared/preview.ts';
import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import { argumentProblems } from '../domain/argument-rules.ts';
import { MAX_CALLS_PER_TURN } from '../domain/limits.ts';
import type { Message } from '../domain/message.ts';
import { isUsableQuestion } from '../domain/question-rules.ts';
import type { EventDraft, PendingTurn } from '../domain/run.ts';
import type { Ownership } from '../domain/ownership-rules.ts';
import { modelEvent, toolEvent } from '../domain/step-events.ts';
import type { SuspendInput } from '../domain/suspend-rules.ts';
import type { ToolCall, ToolDefinition } from '../domain/tool.ts';
import { isWrite, needsApproval } from '../domain/turn-rules.ts';
import { askModel, type Answer } from './ask-model.ts';
import { nextQuestion } from './next-question.ts';
import { answerCall, runCall, toolMessage } from './run-call.ts';
import type { Question, Segment, Step } from './segment.ts';

/**
 * The loop of a run: answer every open call, ask, read, again, until the model stops
 * asking for tools or the rounds of the whole run are used up. An answer is stored
 * before any of its calls runs, so an interrupted attempt takes the same turn up
 * again without asking the model twice, and a model never sees a call without a
 * result (T-32).
 * Faults: `ModelError`; the signal's reason when the segment is stopped.
 * Source: runtime.md §11; D-03 (the round limit spans all segments).
 */
export async function runToolLoop(segment: Segment): Promise<RunOutcome> {
  const answered = storedEnd(segment);
  if (answered) return (await segment.move('complete', answered)) ?? 'completed';
  for (;;) {
    const stop = await takeTurn(segment, openCalls(segment));
    if (stop) return stop;
    const asked = await ask(segment);
    if ('outcome' in asked) return asked.outcome;
    const { round, closes } = asked.question;
    if (closes) return endWith(segment, { ...asked.answer, calls: [] }, round, closes);
    if (asked.answer.calls.length === 0) return endWith(segment, asked.answer, round, 'completed');
    const ended = await storeAnswer(segment, asked.answer, round);
    if (ended) return ended;
  }
}

/** The last answer of a run whose worker died between storing it and ending the run; nothing is asked again. */
function storedEnd(segment: Segment): { answer: string; reason: 'completed' | 'max_iterations' } | null {
  const answers = segment.transcript().filter((message) => message.role === 'assistant');
  const last = segment.transcript().at(-1);
  if (last?.role !== 'assistant' || last.toolCalls) return null;
  // Every answer is a round but the one that closes a run whose rounds are used up.
  return { answer: last.content, reason: answers.length > segment.run.rounds ? 'max_iterations' : 'completed' };
}

/** Calls of the newest assistant message that have no result. */
function openCalls(segment: Segment): ToolCall[] {
  const last = segment.messages.findLastIndex((message) => message.role === 'assistant');
  const assistant = segment.messages[last];
  if (assistant?.role !== 'assistant') return [];
  const answered = new Set(
    segment.messages.slice(last).flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
  );
  return (assistant.toolCalls ?? []).filter((call) => !answered.has(call.id));
}

/**
 * One provider call with its `request` event before it: the place where a cancel is noticed before anything is spent. After
 * a call of a tool the event is stored already, with the result.
 */
async function ask(segment: Segment): Promise<{ question: Question; answer: Answer } | { outcome: RunOutcome }> {
  segment.signal.throwIfAborted();
  const { crashPoint } = segment.ports;
  const stored = segment.takeQuestion();
  const question = stored ?? (await nextQuestion(segment));
  if (!stored) crashPoint('before_request');
  const stop = stored ? null : await segment.record({ events: [question.event], phase: 'model' });
  if (stop) return { outcome: stop };
  crashPoint('after_request');
  const answer = await askModel(segment, segment.messages, question.tools);
  crashPoint('before_answer');
  return { question, answer };
}

function llmEvent(segment: Segment, answer: Answer, round: number): EventDraft {
  return modelEvent({ round, privacy: segment.configuration.settings.privacy }, answer.durationMs, {
    ...answer,
    calls: answer.calls.map(({ call }) => call),
  });
}

/**
 * The checkpoint of a round: the assistant's turn and, with it, the answers to calls
 * that could not be read. What is left open is well-formed and is taken up next, unless
 * the turn is stored together with its pause: then the segment is over.
 */
async function storeAnswer(segment: Segment, answer: Answer, round: number): Promise<RunOutcome | null> {
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
  const offered = byName(await segment.offered());
  const isForApproval = personNeeded(calls, offered) === 'approval' && calls.length <= MAX_CALLS_PER_TURN;
  return isForApproval ? storeWithCard(segment, step, calls, offered, round) : checkpoint(segment, step);
}

async function checkpoint(segment: Segment, step: Step): Promise<RunOutcome | null> {
  const stop = await segment.record(step);
  if (!stop) segment.ports.crashPoint('after_answer');
  return stop;
}

/**
 * Plans what a turn would change, then stores the answer and the pause in one transaction.
 * A worker that dies over the planning asks the model again: that costs a call, and nobody
 * has seen the lost answer. Planning that fails or is stopped leaves the answer stored alone.
 */
async function storeWithCard(
  segment: Segment,
  step: Step,
  calls: ToolCall[],
  offered: Map<string, ToolDefinition>,
  round: number,
): Promise<RunOutcome | null> {
  let previews: CallPreview[];
  try {
    previews = await plan(segment, calls, offered);
  } catch (error) {
    const stop = await checkpoint(segment, step);
    if (stop) return stop;
    throw error;
  }
  return segment.recordAndWait(step, cardOf(segment, round, { calls, previews, questions: [] }));
}

/** The last answer and the end of the run, together. */
async function endWith(
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

/** What a turn needs of a person before any of its calls runs. An approval comes first: it is judged on the whole turn (§3.1). */
function personNeeded(calls: ToolCall[], offered: Map<string, ToolDefinition>): 'approval' | 'input' | null {
  if (calls.some((call) => needsApproval(offered.get(call.name)))) return 'approval';
  return calls.some((call) => offered.get(call.name)?.requiresInput) ? 'input' : null;
}

/** Suspends at the open calls of a turn, or executes and answers them in the model's order. */
async function takeTurn(segment: Segment, calls: ToolCall[]): Promise<RunOutcome | null> {
  if (calls.length === 0) return null;
  const offered = byName(await segment.offered());
  const needs = personNeeded(calls, offered);
  if (needs && calls.length <= MAX_CALLS_PER_TURN) {
    return needs === 'approval' ? suspend(segment, calls, offered) : askPerson(segment, calls, offered);
  }
  for (const [index, call] of calls.entries()) {
    const position = { round: segment.run.rounds, isLast: index === calls.length - 1 };
    // A tool must have been offered when the turn was judged and still be: one that turns up in between was never asked about.
    const definition = offered.has(call.name) ? byName(await segment.offered()).get(call.name) : undefined;
    const refusal = needs ? TOO_MANY_CALLS : refusalText(segment, call, definition);
    const stop = refusal
      ? await answerCall(segment, call, refusal, position)
      : await runCall(segment, call, null, position);
    if (stop) return stop;
  }
  return null;
}

const byName = (tools: ToolDefinition[]): Map<string, ToolDefinition> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** A turn so large that no person could review it is answered, not shown. */
const TOO_MANY_CALLS = `Error: a turn that waits for a person may hold at most ${MAX_CALLS_PER_TURN} calls. Nothing was executed; propose fewer at once.`;

/** Suspends before any call of the turn ran, the whole turn held, reads included (H-021). */
async function suspend(segment: Segment, calls: ToolCall[], offered: Map<string, ToolDefinition>): Promise<RunOutcome> {
  const previews = await plan(segment, calls, offered);
  return waitWith(segment, { calls, previews, questions: [] });
}

/** What the turn would change. Only offered writes are previewed: a read has nothing to show and would count as a broken preview (H-062, H-067). */
async function plan(segment: Segment, calls: ToolCall[], offered: Map<string, ToolDefinition>): Promise<CallPreview[]> {
  const planned = calls.filter((call) => offered.has(call.name) && isWrite(segment.effectOf(call.name)));
  const previews =
    planned.length > 0 ? await segment.ports.tools.planTurn(planned, segment.toolContext(), segment.signal) : [];
  segment.signal.throwIfAborted();
  return previews;
}

/**
 * Suspends with the questions of a turn, all at once and before any of its calls ran.
 * A call whose question cannot be made is answered and asks nobody.
 * Faults: for a tool that asks nothing; such a form would accept anything.
 */
async function askPerson(
  segment: Segment,
  calls: ToolCall[],
  offered: Map<string, ToolDefinition>,
): Promise<RunOutcome | null> {
  const asking = calls.filter((call) => offered.get(call.name)?.requiresInput);
  const questions = await segment.ports.tools.askTurn(asking, segment.signal);
  segment.signal.throwIfAborted();
  if (!questions.every(({ schema }) => isUsableQuestion(schema))) throw new Error('A tool asks for nothing usable.');
  const unasked = asking.filter(({ id }) => !questions.some(({ callId }) => callId === id));
  for (const call of unasked) {
    const text = `Error: ${call.name} cannot ask this: each text must be one plain line, and no two options or names the same. Nobody was asked.`;
    const stop = await answerCall(segment, call, text, { round: segment.run.rounds, isLast: false });
    if (stop) return stop;
  }
  const open = calls.filter((call) => !unasked.includes(call));
  return questions.length > 0 ? waitWith(segment, { calls: open, previews: [], questions }) : takeTurn(segment, open);
}

type CardParts = Pick<PendingTurn, 'calls' | 'previews' | 'questions'>;

const cardOf = (segment: Segment, round: number, parts: CardParts): Omit<SuspendInput, keyof Ownership> => ({
  turn: { v: 1, round, ...parts, staleCallIds: [] },
  effects: Object.fromEntries(parts.calls.map((call) => [call.name, segment.effectOf(call.name)])),
});

const waitWith = (segment: Segment, parts: CardParts): Promise<RunOutcome> =>
  segment.waitForPerson('suspend', cardOf(segment, segment.run.rounds, parts));

function refusalText(segment: Segment, call: ToolCall, definition: ToolDefinition | undefined): string | null {
  if (!segment.ports.catalogue.get(call.name)) return `Error: unknown tool ${call.name}. Nothing was executed.`;
  if (!definition) return `Error: ${call.name} is not permitted here. Nothing was executed.`;
  const problems = argumentProblems(definition, call.arguments);
  return problems.length > 0
    ? `Error: the arguments do not fit ${call.name}: ${problems.join('; ')}. Nothing was executed.`
    : null;
}

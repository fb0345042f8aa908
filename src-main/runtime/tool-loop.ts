import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import { argumentProblems } from '../domain/argument-rules.ts';
import { MAX_CALLS_PER_TURN } from '../domain/limits.ts';
import { deniedBefore, repeatedText } from '../domain/denied-before.ts';
import type { ModelQuestion } from '../domain/model-question.ts';
import { questionProblem } from '../domain/question-shape.ts';
import type { ToolCall, ToolDefinition } from '../domain/tool.ts';
import { askModel, type Answer } from './ask-model.ts';
import { deniedBudget, isAnnounced, nextQuestion } from './next-question.ts';
import { answerCall, runCall, runReads, type CallPosition } from './run-call.ts';
import type { Segment } from './segment.ts';
import { isWrite } from '../domain/turn-rules.ts';
import { endUnanswered, endWith, storeAnswer } from './store-answer.ts';
import { byName, cardOf, personNeeded, planTurn, repeatedCalls, type CardParts } from './turn-card.ts';

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
 * One provider call with its `request` event before it: the place where a cancel is noticed before anything is spent. With the
 * claim of a fresh run, and with the result of a call, the event is stored already.
 */
async function ask(segment: Segment): Promise<{ question: ModelQuestion; answer: Answer } | { outcome: RunOutcome }> {
  segment.signal.throwIfAborted();
  const { crashPoint } = segment.ports;
  const stored = segment.takeQuestion();
  if (!stored && (await deniedBudget(segment)))
    return { outcome: await endUnanswered(segment, 'budget_exhausted', []) };
  const question = stored ?? (await nextQuestion(segment));
  if (question.isTooLong) return { outcome: await endUnanswered(segment, 'context_truncated', [question.event]) };
  const isStored = stored !== null || (await isAnnounced(segment, question));
  if (!isStored) crashPoint('before_request');
  const stop = isStored
    ? await segment.lookForEnd()
    : await segment.record({ events: [question.event], phase: 'model' });
  if (stop) return { outcome: stop };
  crashPoint('after_request');
  const answer = await askModel(segment, question);
  // What another model counts says nothing about this one's tokens.
  if (answer.fallback === null) segment.learn(question.breakdown, answer.usage.inputTokens);
  crashPoint('before_answer');
  return { question, answer };
}

/** Suspends at the open calls of a turn, or executes and answers them in the model's order. */
async function takeTurn(segment: Segment, calls: ToolCall[]): Promise<RunOutcome | null> {
  if (calls.length === 0) return null;
  const offered = byName(await segment.offered());
  const repeated = repeatedCalls(segment, calls, offered);
  if (repeated.length > 0) return refuseRepeated(segment, calls, repeated);
  const needs = personNeeded(calls, offered);
  if (calls.length > MAX_CALLS_PER_TURN) return answerAll(segment, calls, TOO_MANY_CALLS);
  if (!needs) return executeTurn(segment, calls, offered);
  return needs === 'approval' ? suspend(segment, calls, offered) : askPerson(segment, calls, offered);
}

/** Answers what a person has declined before, and takes up the rest of the turn. */
async function refuseRepeated(segment: Segment, calls: ToolCall[], repeated: ToolCall[]): Promise<RunOutcome | null> {
  const rest = calls.filter((call) => !repeated.includes(call));
  for (const [index, call] of repeated.entries()) {
    const position = { round: segment.run.rounds, isLast: rest.length === 0 && index === repeated.length - 1 };
    const marks = { deniedBefore: deniedBefore(segment.transcript(), call) };
    const stop = await answerCall(segment, call, repeatedText(call.name), position, marks);
    if (stop) return stop;
  }
  return takeTurn(segment, rest);
}

async function answerAll(segment: Segment, calls: ToolCall[], text: string): Promise<RunOutcome | null> {
  for (const [index, call] of calls.entries()) {
    const stop = await answerCall(segment, call, text, positionOf(segment, calls, index));
    if (stop) return stop;
  }
  return null;
}

const positionOf = (segment: Segment, calls: ToolCall[], index: number): CallPosition => ({
  round: segment.run.rounds,
  isLast: index === calls.length - 1,
});

/** Reads of one turn that run at the same time. */
const MAX_READS_AT_ONCE = 4;

/** Executes or answers the calls of a turn that waits for nobody, in the model's order; reads that follow one another together. */
async function executeTurn(
  segment: Segment,
  calls: ToolCall[],
  offered: Map<string, ToolDefinition>,
): Promise<RunOutcome | null> {
  let index = 0;
  while (index < calls.length) {
    // A tool must have been offered when the turn was judged and still be: one that turns up in between was never asked about.
    const current = byName(await segment.offered());
    const refusalOf = (call: ToolCall): string | null =>
      refusalText(segment, call, offered.has(call.name) ? current.get(call.name) : undefined);
    const isRead = (call: ToolCall): boolean => refusalOf(call) === null && !isWrite(segment.effectOf(call.name));
    const reads = leading(calls.slice(index, index + MAX_READS_AT_ONCE), isRead);
    const stop =
      reads.length > 0
        ? await runReads(segment, reads, (offset) => positionOf(segment, calls, index + offset))
        : await runOne(segment, calls[index] as ToolCall, refusalOf, positionOf(segment, calls, index));
    if (stop) return stop;
    index += Math.max(1, reads.length);
  }
  return null;
}

/** A refused call is answered; a write that asks nobody runs alone. */
const runOne = (
  segment: Segment,
  call: ToolCall,
  refusalOf: (call: ToolCall) => string | null,
  position: CallPosition,
): Promise<RunOutcome | null> => {
  const refusal = refusalOf(call);
  return refusal ? answerCall(segment, call, refusal, position) : runCall(segment, call, null, position);
};

/** The items before the first that does not fit. */
function leading<T>(items: T[], fits: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !fits(item));
  return end < 0 ? items : items.slice(0, end);
}

/** A turn so large that no person could review it, and no worker would get done with it, is answered. */
const TOO_MANY_CALLS = `Error: a turn may hold at most ${MAX_CALLS_PER_TURN} calls. Nothing was executed; propose fewer at once.`;

/** Suspends before any call of the turn ran, the whole turn held, reads included (H-021). */
async function suspend(segment: Segment, calls: ToolCall[], offered: Map<string, ToolDefinition>): Promise<RunOutcome> {
  const previews = await planTurn(segment, calls, offered);
  return waitWith(segment, { calls, previews, questions: [] });
}

/**
 * Suspends with the questions of a turn, all at once and before any of its calls ran.
 * A call whose question cannot be made is answered and asks nobody. A call that is not offered
 * is answered, too: who answers must be allowed to use every tool of the turn, and nobody would be.
 * Faults: for a tool that asks nothing, or what makes no form: it would accept anything, or could never be sent.
 */
async function askPerson(
  segment: Segment,
  calls: ToolCall[],
  offered: Map<string, ToolDefinition>,
): Promise<RunOutcome | null> {
  const asking = calls.filter((call) => offered.get(call.name)?.requiresInput);
  const questions = await segment.ports.tools.askTurn(asking, segment.signal);
  segment.signal.throwIfAborted();
  if (questions.some(({ schema }) => questionProblem(schema)))
    throw new Error('A tool asks nothing that could be answered.');
  const open: ToolCall[] = [];
  for (const call of calls) {
    const isUnasked = asking.includes(call) && !questions.some(({ callId }) => callId === call.id);
    const refusal = isUnasked ? unaskedText(call) : refusalText(segment, call, offered.get(call.name));
    if (!refusal) open.push(call);
    else {
      const stop = await answerCall(segment, call, refusal, { round: segment.run.rounds, isLast: false });
      if (stop) return stop;
    }
  }
  return questions.length > 0 ? waitWith(segment, { calls: open, previews: [], questions }) : takeTurn(segment, open);
}

const unaskedText = ({ name }: ToolCall): string =>
  `Error: ${name} cannot ask this: each text must be one plain line, and no two options, labels or names the same. Nobody was asked.`;

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

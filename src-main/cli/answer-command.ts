import { askedValues, typedValue, type AskedValue } from '../../src-shared/asked-values.ts';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import type { JsonObject, JsonValue } from '../domain/json-value.ts';
import type { Answers } from '../domain/run.ts';
import type { FilledForm } from '../runtime/runtime.ts';
import { cardLines } from './card-text.ts';
import { EXIT, onlyPositional, textOption, UsageError, type Command, type Invocation } from './command.ts';
import { AT_COMMAND_LINE, CARD_OPTIONS, givenBinding, reportDecision } from './decide-commands.ts';
import { refuse } from './run-commands.ts';

/** Answers the questions a run waits with. */
export const answer: Command = {
  usage: 'RUN [--set NAME=VALUE … | --answers JSON] [--digest D --revision N] [--wait]',
  summary: 'Answer what a run asks; at a terminal it asks you for each value',
  options: {
    ...CARD_OPTIONS,
    set: { type: 'string', multiple: true },
    answers: { type: 'string' },
  },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const opened = invocation.open();
    const card = await opened.runtime.pendingDecision(opened.actor, runId);
    if (!card || card.questions.length === 0) return refuse(invocation, { kind: 'not_awaiting_input' });
    const form = await filledForm(invocation, card, opened.clock.nowMs());
    if (!form) return EXIT.refused;
    const answered = await opened.runtime.submitInput(opened.actor, runId, { ...form, trigger: AT_COMMAND_LINE });
    return reportDecision(invocation, opened, answered, 'Answered.');
  },
};

/**
 * The answers with what binds them to the form they were made for. As with a decision,
 * only a form that was shown right here is bound without being named. Null = the person left.
 */
async function filledForm(
  invocation: Invocation,
  card: PendingDecisionView,
  nowMs: number,
): Promise<FilledForm | null> {
  const binding = givenBinding(invocation);
  const answers = givenAnswers(invocation, card);
  if (answers) return { turnDigest: null, previewRevision: null, ...binding, answers };
  if (!invocation.canAsk) throw new UsageError('Without a terminal, give the answers with --set or --answers.');
  for (const line of cardLines(card, nowMs)) invocation.print(line);
  invocation.print('');
  const asked = await askedAnswers(invocation, card);
  if (!asked) {
    invocation.print('Nothing was answered.');
    return null;
  }
  const { turnDigest, previewRevision } = card;
  return { turnDigest, previewRevision, ...binding, answers: asked };
}

function givenAnswers(invocation: Invocation, { questions }: PendingDecisionView): Answers | null {
  const text = textOption(invocation, 'answers');
  const pairs = invocation.options.set;
  if (text !== undefined && pairs !== undefined) throw new UsageError('Give either --set or --answers.');
  if (text !== undefined) return parsedAnswers(text);
  if (!Array.isArray(pairs)) return null;
  const [question, ...more] = questions;
  if (!question || more.length > 0)
    throw new UsageError('This run asks several questions; give --answers with one object for each call.');
  const asked = askedValues(question.schema);
  return { [question.callId]: Object.fromEntries(pairs.flatMap((pair) => pairOf(pair, asked))) };
}

function pairOf(pair: string, asked: AskedValue[]): [string, JsonValue][] {
  const at = pair.indexOf('=');
  const value = asked.find(({ name }) => name === pair.slice(0, at));
  if (at < 1 || !value) {
    const names = asked.map(({ name }) => name).join(', ');
    throw new UsageError(`--set takes NAME=VALUE, the name being one of: ${names}.`);
  }
  const typed = typedValue(value, pair.slice(at + 1));
  return typed === undefined ? [] : [[value.name, typed as JsonValue]];
}

function parsedAnswers(text: string): Answers {
  const isObject = (value: unknown): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && Object.values(value).every(isObject)) return value as Answers;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(
    '--answers takes a JSON object that holds one object for each call, e.g. {"call-1":{"answer":"yes"}}',
  );
}

/** Names of a model may be any text, `__proto__` too: they become keys of an object only by `fromEntries`. */
async function askedAnswers(invocation: Invocation, { questions }: PendingDecisionView): Promise<Answers | null> {
  const answers: [callId: string, JsonObject][] = [];
  for (const { callId, schema } of questions) {
    const values: [name: string, JsonValue][] = [];
    for (const asked of askedValues(schema)) {
      const typed = await invocation.ask(`${asked.name}: `);
      if (typed === null) return null;
      const value = typedValue(asked, typed);
      if (value !== undefined) values.push([asked.name, value as JsonValue]);
    }
    answers.push([callId, Object.fromEntries(values)]);
  }
  return Object.fromEntries(answers);
}

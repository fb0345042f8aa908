import { isServed, type Console } from '../compose.ts';
import { runView } from '../ipc/run-view.ts';
import type { Configuration } from '../domain/configuration.ts';
import { plainLine } from '../../src-shared/plain-text.ts';
import { MAX_ROUNDS } from '../../src-shared/run-limits.ts';
import type { RunRecord } from '../domain/run.ts';
import type { StartRun } from '../runtime/runtime.ts';
import {
  PREFIX,
  EXIT,
  integerOption,
  onlyPositional,
  textOption,
  UsageError,
  type Command,
  type Invocation,
} from './command.ts';
import { cardLines } from './card-text.ts';
import { historyLines, runLines } from './run-text.ts';
import { refusalSentence } from './refusal-sentences.ts';
import { withPool } from './with-pool.ts';

const START_OPTIONS = {
  configuration: { type: 'string' },
  label: { type: 'string' },
  rounds: { type: 'string' },
} as const;

export const enqueue: Command = {
  usage: 'PROMPT [--configuration NAME] [--label TEXT] [--rounds N]',
  summary: 'Store a run for the workers and return its id',
  options: START_OPTIONS,
  async run(invocation) {
    const opened = invocation.open();
    const queued = await opened.runtime.enqueue(opened.actor, await wantedRun(invocation, opened));
    if (!queued.ok) return refuse(invocation, queued.refusal);
    const live = isServed(opened);
    invocation.answer(runView(queued.value), [
      queued.value.id,
      ...(live ? [] : [`No worker runs now. Start one with: ${PREFIX} worker`]),
    ]);
    return EXIT.ok;
  },
};

export const run: Command = {
  usage: 'PROMPT [--configuration NAME] [--label TEXT] [--rounds N]',
  summary: 'Start a run and wait until it has ended or asks for a decision',
  options: START_OPTIONS,
  async run(invocation) {
    const opened = invocation.open();
    const wanted = await wantedRun(invocation, opened);
    const settled = await withPool(opened, invocation.callerUrl, () => opened.runtime.run(opened.actor, wanted));
    return settled.ok ? answerRun(invocation, opened, settled.value) : refuse(invocation, settled.refusal);
  },
};

/** Says where a run stands: the card when it waits, else its end. */
export async function answerRun(invocation: Invocation, opened: Console, record: RunRecord): Promise<number> {
  const card = await opened.runtime.pendingDecision(opened.actor, record.id);
  const result = await opened.runtime.result(opened.actor, record.id);
  const history = await opened.runtime.timeline(opened.actor, record.id);
  const view = runView(record);
  invocation.answer(
    { ...view, card, answer: result?.answer ?? null, failure: result?.failure ?? null },
    card
      ? [...cardLines(card, opened.clock.nowMs()), '', nextStep(record, card.questions.length > 0)]
      : [...runLines(view, result), ...historyLines(history)],
  );
  return record.status === 'failed' ? EXIT.refused : EXIT.ok;
}

function nextStep({ id, hold }: RunRecord, isQuestion: boolean): string {
  if (hold === 'restored') return refusalSentence({ kind: 'restored' });
  return isQuestion ? `Answer with: ${PREFIX} answer ${id}` : `Decide with: ${PREFIX} approve ${id}   or: deny`;
}

/** Tells why something was refused; exit code 1. */
export function refuse(invocation: Invocation, refusal: Parameters<typeof refusalSentence>[0]): number {
  // Names in a refusal may come from a model.
  const sentence = plainLine(refusalSentence(refusal));
  invocation.answer({ refusal, sentence }, [sentence]);
  return EXIT.refused;
}

async function wantedRun(invocation: Invocation, opened: Console): Promise<StartRun> {
  const prompt = onlyPositional(invocation, 'PROMPT');
  const rounds = invocation.options.rounds === undefined ? null : integerOption(invocation, 'rounds', 1, 1, MAX_ROUNDS);
  const configuration = await chosenConfiguration(opened, textOption(invocation, 'configuration'));
  const label = textOption(invocation, 'label') ?? `From the command line`;
  return { configurationId: configuration.id, label, prompt, maxRounds: rounds, allowedToolNames: null };
}

async function chosenConfiguration(opened: Console, name: string | undefined): Promise<Configuration> {
  const all = await opened.installation.store.configurations();
  const known = all.map((configuration) => configuration.identifier).join(', ') || 'none';
  const found =
    name === undefined && all.length === 1 ? all[0] : all.find((configuration) => configuration.identifier === name);
  if (found) return found;
  if (all.length === 0)
    throw new UsageError(`There is no configuration yet. Make one with: ${PREFIX} sample DIR — or connect NAME`);
  throw new UsageError(
    name === undefined
      ? `Say which configuration: --configuration NAME (${known}).`
      : `There is no configuration ${name}. Known: ${known}.`,
  );
}

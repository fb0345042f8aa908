import type { Result } from '../../src-shared/refusals.ts';
import { DENIAL_REASONS, type DenialReason } from '../../src-shared/vocabulary.ts';
import { isServed, type Console } from '../compose.ts';
import type { CardBinding } from '../domain/decision-gates.ts';
import type { RunRecord, Trigger } from '../domain/run.ts';
import { runView } from '../ipc/run-view.ts';
import type { CardDecision } from '../runtime/runtime.ts';
import { cardLines } from './card-text.ts';
import {
  EXIT,
  integerOption,
  isYes,
  onlyPositional,
  textOption,
  UsageError,
  type Command,
  type Invocation,
} from './command.ts';
import { answerRun, refuse } from './run-commands.ts';
import { withPool } from './with-pool.ts';

export const CARD_OPTIONS = {
  digest: { type: 'string' },
  revision: { type: 'string' },
  wait: { type: 'boolean' },
} as const;

export const approve: Command = {
  usage: 'RUN [--digest D --revision N] [--without-preview] [--wait]',
  summary: 'Approve the turn a run waits with, exactly as its card shows it',
  options: { ...CARD_OPTIONS, 'without-preview': { type: 'boolean' } },
  run: (invocation) => decide(invocation, true),
};

export const deny: Command = {
  usage: 'RUN [--digest D --revision N] [--reason variant|skip] [--note TEXT] [--wait]',
  summary: 'Refuse the turn; nothing is executed and the run goes on with the refusal',
  options: { ...CARD_OPTIONS, reason: { type: 'string' }, note: { type: 'string' } },
  run: (invocation) => decide(invocation, false),
};

async function decide(invocation: Invocation, approved: boolean): Promise<number> {
  const runId = onlyPositional(invocation, 'RUN');
  const denialReason = denialReasonOf(invocation);
  const opened = invocation.open();
  const binding = await cardBinding(invocation, opened, runId, approved);
  if (binding === 'left') return EXIT.refused;
  // At the command line nobody watches a window count down: an approval starts at once.
  const card: CardDecision = {
    ...binding,
    denialReason,
    note: textOption(invocation, 'note') ?? '',
    confirmsBlind: invocation.options['without-preview'] === true,
    trigger: AT_COMMAND_LINE,
    withdrawWindowMs: 0,
  };
  const decided = approved
    ? await opened.runtime.approve(opened.actor, runId, card)
    : await opened.runtime.deny(opened.actor, runId, card);
  return reportDecision(invocation, opened, decided, approved ? 'Approved.' : 'Denied.');
}

/** How a decision of a command comes about; nothing is claimed of it. */
export const AT_COMMAND_LINE: Trigger = { surface: 'command_line', claims: null };

/** Tells what a decision came to; with --wait, where the run stands once a worker carried it out. */
export async function reportDecision(
  invocation: Invocation,
  opened: Console,
  decided: Result<RunRecord>,
  done: string,
): Promise<number> {
  if (!decided.ok) return refuse(invocation, decided.refusal);
  const runId = decided.value.id;
  if (invocation.options.wait) {
    const settled = await withPool(opened, invocation.callerUrl, () =>
      opened.runtime.awaitSettled(opened.actor, runId),
    );
    if (!settled.ok) return refuse(invocation, settled.refusal);
    const code = await answerRun(invocation, opened, settled.value);
    // The approved turn came back: what was approved was not done.
    return settled.value.bounceCount > 0 ? EXIT.refused : code;
  }
  const carriedOut = isServed(opened)
    ? 'A worker carries it out now.'
    : 'No worker runs now; the decision is stored and the next one carries it out.';
  invocation.answer(runView(decided.value), [`${done} ${carriedOut}`]);
  return EXIT.ok;
}

/**
 * What binds the decision to a card: the values given, or those of the card shown
 * right here. An approval is asked for once more, a denial is not (H-161). Without a
 * terminal nothing is looked up: a decision about a card that nobody saw is refused
 * by the runtime.
 */
async function cardBinding(
  invocation: Invocation,
  opened: Console,
  runId: string,
  approved: boolean,
): Promise<CardBinding | 'left'> {
  const given = givenBinding(invocation);
  if (given) return given;
  const card = await opened.runtime.pendingDecision(opened.actor, runId);
  if (!card) return { turnDigest: null, previewRevision: null };
  for (const line of cardLines(card, opened.clock.nowMs())) invocation.print(line);
  if (!invocation.canAsk) return { turnDigest: null, previewRevision: null };
  if (approved) {
    const answer = await invocation.ask('\nApprove exactly this? Type yes: ');
    if (!isYes(answer)) {
      invocation.print('Nothing was decided; only the word yes approves.');
      return 'left';
    }
  }
  return { turnDigest: card.turnDigest, previewRevision: card.previewRevision };
}

/** The card's values as given with the command; null = none. Faults: `UsageError` for only one of the two. */
export function givenBinding(invocation: Invocation): CardBinding | null {
  const digest = textOption(invocation, 'digest');
  const revision =
    invocation.options.revision === undefined
      ? null
      : integerOption(invocation, 'revision', 0, 0, Number.MAX_SAFE_INTEGER);
  if ((digest === undefined) !== (revision === null))
    throw new UsageError('Give --digest and --revision together, both from the card.');
  return digest === undefined ? null : { turnDigest: digest, previewRevision: revision };
}

function denialReasonOf(invocation: Invocation): DenialReason | null {
  const text = textOption(invocation, 'reason');
  if (text === undefined) return null;
  const reason = DENIAL_REASONS.find((known) => known === text);
  if (!reason) throw new UsageError(`--reason must be one of ${DENIAL_REASONS.join(', ')}.`);
  return reason;
}

export const cancel: Command = {
  usage: 'RUN [--if-waiting]',
  summary: 'Stop a run that has not ended, or only while it waits for a person',
  options: { 'if-waiting': { type: 'boolean' } },
  async run(invocation) {
    const runId = onlyPositional(invocation, 'RUN');
    const opened = invocation.open();
    if (invocation.options['if-waiting'] === true) return cancelIfWaiting(invocation, opened, runId);
    const cancelled = await opened.runtime.cancel(opened.actor, runId);
    if (!cancelled.ok) return refuse(invocation, cancelled.refusal);
    invocation.answer(runView(cancelled.value), [
      'Cancelled. A call that is on its way finishes and is recorded; nothing after it runs.',
    ]);
    return EXIT.ok;
  },
};

async function cancelIfWaiting(invocation: Invocation, opened: Console, runId: string): Promise<number> {
  const answer = await opened.runtime.cancelIfWaiting(opened.actor, runId);
  const { cancelled, status } = answer;
  if (status === null) return refuse(invocation, { kind: 'unknown_run' });
  if (!cancelled) return refuse(invocation, { kind: 'not_waiting', status });
  invocation.answer(answer, ['Cancelled. Nothing of the turn it waited with was executed.']);
  return EXIT.ok;
}

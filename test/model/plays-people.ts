import type { JsonObject } from '../../src-main/domain/json-value.ts';
import type { Answers } from '../../src-main/domain/run.ts';
import type { TransitionInputs } from '../../src-main/domain/transitions.ts';
import type { ToolCall } from '../../src-main/domain/tool.ts';
import { aPreview, TOOL_LIST } from '../support/run-builders.ts';
import type { AnswerChoice, CardChoice, CommandKind, CommandOf, RunPick } from './commands.ts';
import type { Life } from './life.ts';
import { isOver, isWaitingRun, type ModelRun } from './model-state.ts';
import { damageTurns, setClockBack, switchTo } from './plays-installation.ts';
import { actorOf, NO_CARD, pickCard, pickRun } from './picks.ts';
import { REDEFINED } from './reference-people.ts';

type RunKind = { [K in CommandKind]: CommandOf<K> extends { run: RunPick } ? K : never }[CommandKind];

/** What somebody does about one run; nothing while no run is like that. */
const about =
  <K extends RunKind>(
    fits: (run: ModelRun, life: Life) => boolean,
    play: (life: Life, runId: string, command: CommandOf<K>) => Promise<void>,
  ) =>
  async (life: Life, command: CommandOf<K> & { run: RunPick }): Promise<void> => {
    const runId = pickRun(life, command.run, (run) => fits(run, life));
    if (runId) await play(life, runId, command);
  };

export const waitsForApproval = ({ row }: ModelRun): boolean => row.status === 'waiting_for_approval';
const hidesItsWrite = (run: ModelRun): boolean => waitsForApproval(run) && run.turn?.isBlind === true;
export const waitsForInput = ({ row }: ModelRun): boolean => row.status === 'waiting_for_input';
export const isApproved = ({ row, decision }: ModelRun): boolean =>
  row.status === 'queued' && decision?.kind === 'approval';
const isInDoubt = (run: ModelRun): boolean => !isOver(run) && run.row.fenceCallId + run.row.recoverCallId !== '';
const isBroken = (run: ModelRun): boolean => run.turn?.isDamaged === true || run.row.recoverCallId !== '';
const isBeingResumed = (run: ModelRun): boolean => run.decision !== null;
export const isDelayed = ({ row }: ModelRun, { nowMs }: Life): boolean =>
  row.status === 'queued' && row.nextAttemptAtMs > nowMs;
const isListed = ({ id }: ModelRun, { model }: Life): boolean => model.doubts.some(({ runId }) => runId === id);
const DECISION_LIMIT_MS = 7_776_000_000;
const DAY_MS = 86_400_000;

interface Deciding {
  person: number;
  approved: boolean;
  card?: CardChoice;
  windowMs?: number;
  confirmsBlind?: boolean;
}

export function decisionOf(life: Life, runId: string, by: Deciding): TransitionInputs['decide_approval'] {
  return {
    actor: actorOf(by.person),
    approved: by.approved,
    ...pickCard(life, runId, by.card ?? 'current'),
    denialReason: null,
    note: '',
    // A service account is shown nothing, and says so.
    confirmsBlind: (by.confirmsBlind ?? false) || by.person === 0,
    trigger: null,
    withdrawWindowMs: by.windowMs ?? 30_000,
    tools: TOOL_LIST,
  };
}

export function editOf(
  life: Life,
  runId: string,
  by: { person: number; card?: CardChoice; target?: 'first' | 'none' | 'stranger' },
): TransitionInputs['edit_card'] {
  const [calls] = JSON.parse(life.model.runs.get(runId)?.turn?.text ?? '[[]]') as [ToolCall[]];
  const target = by.target ?? 'first';
  const callId = target === 'stranger' ? 'call-of-nobody' : calls[0]?.id;
  const given = { page: life.cards.length };
  const edited = calls.map((call) => (call.id === callId && target === 'first' ? { ...call, arguments: given } : call));
  return {
    actor: actorOf(by.person),
    ...pickCard(life, runId, by.card ?? 'current'),
    edits: target === 'none' || callId === undefined ? {} : { [callId]: given },
    previews: edited.map((call) => aPreview(call)),
    tools: TOOL_LIST,
  };
}

/** The same tools, but they take nothing except the number of a page. */
const TOOLS_OF_PAGES = TOOL_LIST.map((tool) => ({
  ...tool,
  parameters: { type: 'object', properties: { page: { type: 'integer' } } },
}));

const TOWN = { town: 'Leipzig', urgent: false };
const COUNT = { count: 3, note: 'soon' };
/** To the first question and, where there is one, to the second. */
const ANSWERS: Record<AnswerChoice, { first: JsonObject; second: JsonObject }> = {
  complete: { first: TOWN, second: COUNT },
  empty_texts: { first: { town: '' }, second: { count: 1, note: '' } },
  zero_and_null: { first: TOWN, second: { count: 0, note: null } },
  only_false: { first: { urgent: false }, second: COUNT },
  number_for_text: { first: { town: 0 }, second: COUNT },
  null_for_text: { first: { town: null }, second: { count: null, note: null } },
  too_long: { first: { town: 'x'.repeat(21) }, second: COUNT },
  not_asked: { first: TOWN, second: COUNT },
  nothing: { first: {}, second: {} },
};

function answersTo(run: ModelRun | undefined, choice: AnswerChoice): Answers {
  const { first, second } = ANSWERS[choice];
  return Object.fromEntries([
    ['call-ask_x', first],
    ...(run?.turn?.text.includes('"call-count"') ? [['call-count', second]] : []),
    ...(choice === 'not_asked' ? [['call-of-nobody', {}]] : []),
  ]) as Answers;
}

export function answerOf(
  life: Life,
  runId: string,
  by: { person: number; card?: CardChoice; answers?: AnswerChoice },
): TransitionInputs['submit_input'] {
  return {
    actor: actorOf(by.person),
    ...pickCard(life, runId, by.card ?? 'current'),
    trigger: null,
    answers: answersTo(life.model.runs.get(runId), by.answers ?? 'complete'),
    tools: TOOL_LIST,
  };
}

const decideTwice = about<'decide_twice_at_once'>(waitsForApproval, (life, runId, { person, isFirstApproved }) =>
  life.atOnce(
    life.beginAsk(runId, 'decide_approval', decisionOf(life, runId, { person, approved: isFirstApproved })),
    life.beginAsk(runId, 'decide_approval', decisionOf(life, runId, { person: 5, approved: !isFirstApproved })),
  ),
);

const answerTwice = about<'answer_twice_at_once'>(waitsForInput, (life, runId, { person }) =>
  life.atOnce(
    life.beginAsk(runId, 'submit_input', answerOf(life, runId, { person })),
    life.beginAsk(runId, 'submit_input', answerOf(life, runId, { person: 5, answers: 'zero_and_null' })),
  ),
);

const cancelAndDecide = about<'cancel_and_decide_at_once'>(
  waitsForApproval,
  (life, runId, { person, isCancelFirst }) => {
    const cancel = () => life.beginAsk(runId, 'cancel', { actor: actorOf(person) });
    const decide = () =>
      life.beginAsk(runId, 'decide_approval', decisionOf(life, runId, { person: 1, approved: true }));
    return isCancelFirst ? life.atOnce(cancel(), decide()) : life.atOnce(decide(), cancel());
  },
);

export const deciderOf = (life: Life, runId: string): number => life.model.runs.get(runId)?.decision?.by ?? 1;

/** In the very millisecond in which the window ends, when a worker may take the run. */
const withdrawAndClaim = about<'withdraw_and_claim_at_once'>(isApproved, (life, runId) => {
  life.nowMs = Math.max(life.nowMs, life.model.runs.get(runId)?.row.notBeforeAtMs ?? 0);
  return life.atOnce(
    life.beginAsk(runId, 'withdraw_approval', { actor: actorOf(deciderOf(life, runId)) }),
    life.beginClaim(true),
  );
});

const hadAnotherCard = (run: ModelRun): boolean => waitsForApproval(run) && run.row.previewRevision > 1;

/** The card before the current one: of a turn that came back, or that was taken back. */
const approveOlderCard = about<'approve_older_card'>(hadAnotherCard, async (life, runId, { person }) => {
  const { turnDigest, previewRevision } = life.cards.filter((card) => card.runId === runId).at(-2) ?? NO_CARD;
  const decision = { ...decisionOf(life, runId, { person, approved: true }), turnDigest, previewRevision };
  await life.ask(runId, 'decide_approval', decision);
});

/** Moves the clock to a moment counted from the end of the wait, never back. */
function waitOutLimit(life: Life, runId: string, msAfterLimit: number): void {
  const sinceMs = life.model.runs.get(runId)?.row.waitingSinceMs;
  if (sinceMs) life.nowMs = Math.max(life.nowMs, sinceMs + DECISION_LIMIT_MS + msAfterLimit);
}

export const expire = (life: Life, runId: string, msAfterLimit: number): Promise<void> => {
  waitOutLimit(life, runId, msAfterLimit);
  return life.ask(runId, 'expire', {});
};

export const remind = (life: Life, runId: string, msAfterDue: number): Promise<void> => {
  waitOutLimit(life, runId, msAfterDue - DAY_MS);
  return life.ask(runId, 'remind', {});
};

export const PEOPLE_PLAYS = {
  approve: about<'approve'>(waitsForApproval, (life, runId, by) =>
    life.ask(runId, 'decide_approval', decisionOf(life, runId, { ...by, approved: true })),
  ),
  approve_redefined: about<'approve_redefined'>(waitsForApproval, (life, runId, { person }) =>
    life.ask(runId, 'decide_approval', {
      ...decisionOf(life, runId, { person, approved: true }),
      tools: TOOL_LIST.map((tool) => ({ ...tool, description: REDEFINED })),
    }),
  ),
  approve_hidden: about<'approve_hidden'>(hidesItsWrite, (life, runId, { person }) =>
    life.ask(runId, 'decide_approval', decisionOf(life, runId, { person, approved: true })),
  ),
  deny: about<'deny'>(waitsForApproval, (life, runId, by) =>
    life.ask(runId, 'decide_approval', decisionOf(life, runId, { ...by, approved: false })),
  ),
  approve_question: about<'approve_question'>(waitsForInput, (life, runId, { person }) =>
    life.ask(runId, 'decide_approval', decisionOf(life, runId, { person, approved: true })),
  ),
  decide_switched_off: about<'decide_switched_off'>(isWaitingRun, async (life, runId, by) => {
    const run = life.model.runs.get(runId);
    if (!run) return;
    await switchTo(life, run.configuration, false);
    await (waitsForInput(run)
      ? life.ask(runId, 'submit_input', answerOf(life, runId, by))
      : life.ask(runId, 'decide_approval', decisionOf(life, runId, by)));
  }),
  approve_again: about<'approve_again'>(isBeingResumed, (life, runId, { person }) =>
    life.ask(runId, 'decide_approval', decisionOf(life, runId, { person, approved: true })),
  ),
  answer: about<'answer'>(waitsForInput, (life, runId, by) =>
    life.ask(runId, 'submit_input', answerOf(life, runId, by)),
  ),
  answer_stale: about<'answer_stale'>(waitsForInput, (life, runId, by) =>
    life.ask(runId, 'submit_input', answerOf(life, runId, by)),
  ),
  answer_approval: about<'answer_approval'>(waitsForApproval, (life, runId, { person }) =>
    life.ask(runId, 'submit_input', answerOf(life, runId, { person })),
  ),
  answer_again: about<'answer_again'>(isBeingResumed, (life, runId, { person }) =>
    life.ask(runId, 'submit_input', answerOf(life, runId, { person })),
  ),
  decide_twice_at_once: decideTwice,
  answer_twice_at_once: answerTwice,
  cancel_and_decide_at_once: cancelAndDecide,
  withdraw: about<'withdraw'>(isApproved, (life, runId, { person }) =>
    life.ask(runId, 'withdraw_approval', { actor: actorOf(person ?? deciderOf(life, runId)) }),
  ),
  withdraw_damaged: about<'withdraw_damaged'>(isApproved, (life, runId) => {
    damageTurns(life);
    return life.ask(runId, 'withdraw_approval', { actor: actorOf(deciderOf(life, runId)) });
  }),
  withdraw_by_old_clock: about<'withdraw_by_old_clock'>(isApproved, (life, runId) => {
    setClockBack(life, 60_000);
    return life.ask(runId, 'withdraw_approval', { actor: actorOf(deciderOf(life, runId)) });
  }),
  withdraw_and_claim_at_once: withdrawAndClaim,
  approve_older_card: approveOlderCard,
  edit: about<'edit'>(waitsForApproval, (life, runId, by) => life.ask(runId, 'edit_card', editOf(life, runId, by))),
  edit_stale: about<'edit_stale'>(waitsForApproval, (life, runId, by) =>
    life.ask(runId, 'edit_card', editOf(life, runId, by)),
  ),
  edit_switched_off: about<'edit_switched_off'>(waitsForApproval, async (life, runId, by) => {
    const run = life.model.runs.get(runId);
    if (run) await switchTo(life, run.configuration, false);
    await life.ask(runId, 'edit_card', editOf(life, runId, by));
  }),
  edit_damaged: about<'edit_damaged'>(waitsForApproval, (life, runId, by) => {
    const edit = editOf(life, runId, by);
    damageTurns(life);
    return life.ask(runId, 'edit_card', edit);
  }),
  edit_unfitting: about<'edit_unfitting'>(waitsForApproval, (life, runId, by) => {
    const edit = editOf(life, runId, by);
    const edits = Object.fromEntries(Object.keys(edit.edits).map((callId) => [callId, { page: 'none' }]));
    return life.ask(runId, 'edit_card', { ...edit, edits, tools: TOOLS_OF_PAGES });
  }),
  edit_decided: about<'edit_decided'>(isBeingResumed, (life, runId, by) =>
    life.ask(runId, 'edit_card', editOf(life, runId, by)),
  ),
  cancel: about<'cancel'>(isInDoubt, (life, runId, { person }) =>
    life.ask(runId, 'cancel', { actor: actorOf(person) }),
  ),
  cancel_ended: about<'cancel_ended'>(isOver, (life, runId, { person }) =>
    life.ask(runId, 'cancel', { actor: actorOf(person) }),
  ),
  cancel_if_waiting: about<'cancel_if_waiting'>(isWaitingRun, (life, runId, { person }) =>
    life.ask(runId, 'cancel_if_waiting', { actor: actorOf(person) }),
  ),
  retry: about<'retry'>(isDelayed, (life, runId, { person }) => life.ask(runId, 'retry', { actor: actorOf(person) })),
  release_restored: about<'release_restored'>(
    () => true,
    (life, runId, { person }) => life.ask(runId, 'release_restored', { actor: actorOf(person) }),
  ),
  release_copied: about<'release_copied'>(
    ({ isCopied }) => isCopied,
    (life, runId, { person }) => life.ask(runId, 'release_restored', { actor: actorOf(person) }),
  ),
  settle_unreadable: about<'settle_unreadable'>(isBroken, async (life, runId, { person }) => {
    const lastSequence = (await life.world.store.run(runId))?.lastSequence ?? 0;
    await life.ask(runId, 'settle_unreadable', { actor: actorOf(person), lastSequence });
  }),
  resolve_doubt: about<'resolve_doubt'>(isListed, (life, runId, { person, finding }) => {
    const callId = life.model.doubts.find((doubt) => doubt.runId === runId)?.callId ?? 'call-of-nobody';
    return life.ask(runId, 'resolve_uncertain', { actor: actorOf(person), callId, finding });
  }),
  expire_early: about<'expire_early'>(isWaitingRun, (life, runId) => expire(life, runId, -1)),
  expire_due: about<'expire_due'>(isWaitingRun, (life, runId) => expire(life, runId, 0)),
  remind: about<'remind'>(isWaitingRun, (life, runId, { msAfterDue }) => remind(life, runId, msAfterDue)),
  remind_twice: about<'remind_twice'>(isWaitingRun, async (life, runId) => {
    await remind(life, runId, 0);
    await life.ask(runId, 'remind', {});
  }),
} satisfies { [K in CommandKind]?: (life: Life, command: CommandOf<K>) => Promise<void> };

import type { Actor } from '../../src-main/domain/actor.ts';
import type { Answers } from '../../src-main/domain/run.ts';
import type { TransitionKind } from '../../src-main/domain/transitions.ts';
import {
  endRun,
  hidesWrite,
  isOver,
  isWaitingRun,
  type ModelRun,
  type ModelWorld,
  type Move,
  type No,
} from './model-state.ts';
import { settleDoubt } from './reference-worker.ts';

/*
 * What a person may do, and a service account. Source: runtime.md §5; human-decisions.md §6, §10, §12.
 */

const LONGEST_WINDOW_MS = 30_000;
/** How a tool describes itself that is not the one of the card any more. */
export const REDEFINED = 'Another tool under the same name.';

const numberOf = (actor: Actor): number => (actor.kind === 'operator' ? actor.operatorId : 0);

/** An enabled person: their own runs, all of them as administrator. A service account: what its scopes say. */
function mayAct(world: ModelWorld, run: ModelRun, actor: Actor, scope: 'agent:approve' | 'agent:cancel'): boolean {
  if (actor.kind === 'service') return actor.scopes.includes(scope);
  const person = world.people.get(numberOf(actor));
  if (!person?.isEnabled) return false;
  return person.isAdmin || run.owner === numberOf(actor) || (scope === 'agent:approve' && person.mayApprove);
}

const isActive = (world: ModelWorld, run: ModelRun): boolean =>
  world.configurations.get(run.configuration)?.isActive === true;

/** Whether the run waits for this kind of decision from this actor. */
function notMine(world: ModelWorld, run: ModelRun, actor: Actor, status: string, no: No): No {
  if (!mayAct(world, run, actor, 'agent:approve')) return no;
  if (run.row.status !== status) return run.decision && !isWaitingRun(run) ? 'already_decided' : no;
  return isActive(world, run) ? null : 'configuration_inactive';
}

function isStale(
  world: ModelWorld,
  run: ModelRun,
  card: { turnDigest: string | null; previewRevision: number | null },
): No {
  if (world.turnOfDigest.get(card.turnDigest ?? '') !== run.turn?.text) return 'stale_turn';
  return card.previewRevision === run.row.previewRevision ? null : 'stale_preview';
}

/** Who lets a call run must be a person who could run it. */
function mayRun(world: ModelWorld, run: ModelRun, actor: Actor): boolean {
  if (actor.kind !== 'operator') return false;
  return !run.turn?.needsAdmin || world.people.get(numberOf(actor))?.isAdmin === true;
}

function decided(run: ModelRun, decision: NonNullable<ModelRun['decision']>, nowMs: number, windowMs: number): No {
  run.decision = decision;
  run.row.lastDecisionNumber += 1;
  Object.assign(run.row, {
    status: 'queued',
    segment: 'resume',
    decisionNumber: run.row.lastDecisionNumber,
    notBeforeAtMs: nowMs + windowMs,
    nextAttemptAtMs: nowMs,
    queuedAtMs: nowMs,
    waitingSinceMs: 0,
  });
  return null;
}

const decide: Move<'decide_approval'> = (world, run, input, nowMs) => {
  const { actor, approved } = input;
  const no = notMine(world, run, actor, 'waiting_for_approval', 'not_awaiting_approval');
  if (no) return no;
  const needsAnother = world.configurations.get(run.configuration)?.needsSecondPerson === true;
  const by = numberOf(actor);
  const hasPart = by === run.owner || (!run.turn?.isDamaged && run.turn?.editors.includes(by));
  if (needsAnother && approved && by > 0 && hasPart) return 'second_approver_required';
  if (run.turn?.isDamaged) return 'state_unreadable';
  const stale = isStale(world, run, input);
  if (stale) return stale;
  if (approved && run.turn?.writes && !mayRun(world, run, actor)) return 'approver_not_permitted';
  // Every tool of the tests, so the turn's too, is defined as the cards showed it or none is.
  if (approved && input.tools.some(({ description }) => description === REDEFINED)) return 'stale_tool';
  if (approved && run.turn?.isBlind && !input.confirmsBlind) return 'blind_not_confirmed';
  const windowMs = approved ? Math.min(input.withdrawWindowMs ?? 0, LONGEST_WINDOW_MS) : 0;
  return decided(run, { by, kind: approved ? 'approval' : 'denial' }, nowMs, windowMs);
};

/** Only the first call is ever edited here; whoever edits it must be a person who could run it. */
const edit: Move<'edit_card'> = (world, run, input) => {
  const no = notMine(world, run, input.actor, 'waiting_for_approval', 'not_awaiting_approval');
  if (no) return no;
  if (!run.turn || run.turn.isDamaged) return 'state_unreadable';
  const stale = isStale(world, run, input);
  if (stale) return stale;
  const [calls, questions] = JSON.parse(run.turn.text) as [{ id: string; name: string; arguments: unknown }[], unknown];
  const [callId] = Object.keys(input.edits);
  const [call] = calls;
  if (callId !== undefined && callId !== call?.id) return 'no_such_call';
  if (callId !== undefined && call) {
    const isAdmin = world.people.get(numberOf(input.actor))?.isAdmin === true;
    if (input.actor.kind !== 'operator' || (call.name === 'admin_x' && !isAdmin)) return 'approver_not_permitted';
    if (typeof input.edits[callId]?.page !== 'number') return 'invalid_arguments';
    call.arguments = input.edits[callId];
    run.turn.editors = [...new Set([...run.turn.editors, numberOf(input.actor)])];
  }
  run.turn.text = JSON.stringify([calls, questions]);
  run.turn.isBlind = hidesWrite(calls, input.previews);
  run.row.previewRevision += 1;
  return null;
};

const submit: Move<'submit_input'> = (world, run, input, nowMs) => {
  const no = notMine(world, run, input.actor, 'waiting_for_input', 'not_awaiting_input');
  if (no) return no;
  if (run.turn?.isDamaged) return 'state_unreadable';
  if (!fits(run, input.answers)) return 'invalid_input';
  const stale = isStale(world, run, input);
  if (stale) return stale;
  if (!mayRun(world, run, input.actor)) return 'submitter_not_permitted';
  return decided(run, { by: numberOf(input.actor), kind: 'answer' }, nowMs, 0);
};

/**
 * Whether the answers are what the questions of the tests ask for: a town of up to twenty
 * characters and perhaps whether it is urgent; how many, and a note that may be null.
 */
function fits(run: ModelRun, answers: Answers): boolean {
  const asked = run.turn?.text.includes('"call-count"') ? ['call-ask_x', 'call-count'] : ['call-ask_x'];
  const { town, urgent } = answers['call-ask_x'] ?? {};
  const { count, note } = answers['call-count'] ?? {};
  return (
    Object.keys(answers).toSorted().join() === asked.join() &&
    typeof town === 'string' &&
    town.length <= 20 &&
    (urgent === undefined || typeof urgent === 'boolean') &&
    (asked.length === 1 || (typeof count === 'number' && (note === null || typeof note === 'string')))
  );
}

const withdraw: Move<'withdraw_approval'> = (world, run, { actor }, nowMs) => {
  const by = numberOf(actor);
  if (!mayAct(world, run, actor, 'agent:approve') || by === 0 || run.decision?.by !== by) return 'unknown_run';
  const isOpen = run.row.status === 'queued' && run.decision.kind === 'approval' && nowMs < run.row.notBeforeAtMs;
  if (!isOpen) return 'withdraw_window_over';
  if (run.turn?.isDamaged) return 'state_unreadable';
  run.decision = null;
  run.row.previewRevision += 1;
  Object.assign(run.row, {
    status: 'waiting_for_approval',
    decisionNumber: 0,
    notBeforeAtMs: 0,
    waitingSinceMs: nowMs,
  });
  return null;
};

const cancel: Move<'cancel'> = (world, run, { actor }, nowMs) => {
  if (!mayAct(world, run, actor, 'agent:cancel')) return 'unknown_run';
  if (isOver(run)) return 'already_ended';
  endRun(world, run, 'cancelled', 'cancelled', nowMs);
  return null;
};

const cancelIfWaiting: Move<'cancel_if_waiting'> = (world, run, { actor }, nowMs) => {
  if (actor.kind !== 'operator' || !mayAct(world, run, actor, 'agent:cancel')) return 'unknown_run';
  if (!isWaitingRun(run)) return 'not_waiting';
  endRun(world, run, 'cancelled', 'cancelled', nowMs);
  return null;
};

const retry: Move<'retry'> = (world, run, { actor }, nowMs) => {
  if (!mayAct(world, run, actor, 'agent:approve')) return 'unknown_run';
  if (run.row.status !== 'queued' || run.row.nextAttemptAtMs <= nowMs) return 'not_delayed';
  run.row.nextAttemptAtMs = nowMs;
  if (run.row.hold === 'offline') run.row.hold = '';
  return null;
};

const settleUnreadable: Move<'settle_unreadable'> = (world, run, { actor }, nowMs) => {
  const person = world.people.get(numberOf(actor));
  if (!person?.isAdmin || !person.isEnabled) return 'not_administrator';
  if (isOver(run)) return 'already_ended';
  if (run.row.status === 'running') return 'not_waiting';
  endRun(world, run, 'failed', 'state_unreadable', nowMs);
  return null;
};

const releaseRestored: Move<'release_restored'> = (world, run, { actor }) => {
  const person = world.people.get(numberOf(actor));
  if (!person?.isAdmin || !person.isEnabled) return 'not_administrator';
  if (!run.isCopied) return 'not_restored';
  run.isCopied = false;
  run.row.hold = '';
  return null;
};

const resolve: Move<'resolve_uncertain'> = (world, run, { actor, callId }) => {
  if (actor.kind !== 'operator' || !mayAct(world, run, actor, 'agent:approve')) return 'unknown_run';
  if (!world.doubts.some((doubt) => doubt.runId === run.id && doubt.callId === callId)) return 'no_uncertain_write';
  settleDoubt(world, run, callId);
  return null;
};

export const PEOPLE_MOVES = {
  decide_approval: decide,
  edit_card: edit,
  submit_input: submit,
  withdraw_approval: withdraw,
  cancel,
  cancel_if_waiting: cancelIfWaiting,
  retry,
  settle_unreadable: settleUnreadable,
  release_restored: releaseRestored,
  resolve_uncertain: resolve,
} satisfies { [K in TransitionKind]?: Move<K> };

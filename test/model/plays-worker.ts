import type { TransitionInputs } from '../../src-main/domain/transitions.ts';
import type { PendingTurn, Usage } from '../../src-main/domain/run.ts';
import { aCall, aFailedPreview, anAskingTurn, aQuestion, aTurn, EFFECTS } from '../support/run-builders.ts';
import type { Act, ClaimPick, CommandKind, CommandOf, TurnChoice } from './commands.ts';
import type { Claim, Life } from './life.ts';
import type { ModelRun } from './model-state.ts';
import { beginPause } from './plays-installation.ts';
import { actorOf, pickClaim, pickRun } from './picks.ts';

type ClaimKind = { [K in CommandKind]: CommandOf<K> extends { claim: ClaimPick } ? K : never }[CommandKind];

/** What somebody does who holds a run, or believes so; nothing while nobody does. */
const byHolder =
  <K extends ClaimKind>(
    fits: (run: ModelRun) => boolean,
    play: (life: Life, claim: Claim, command: CommandOf<K>) => Promise<void>,
  ) =>
  async (life: Life, command: CommandOf<K> & { claim: ClaimPick }): Promise<void> => {
    const claim = pickClaim(life, command.claim, fits);
    if (claim) await play(life, claim, command);
  };

const NAMES: Record<TurnChoice, string[]> = {
  one: ['set_x'],
  two: ['set_x', 'read_x'],
  three: ['set_x', 'read_x', 'make_x'],
  admin: ['admin_x'],
  reads: ['mark_x'],
  hidden: ['make_x'],
};
/** The same choice is the very same turn, so that only the revision tells two of its cards apart. */
function turnOf(choice: TurnChoice): PendingTurn {
  const calls = NAMES[choice].map((name) => aCall(name));
  return aTurn(calls, choice === 'hidden' ? { previews: calls.map(aFailedPreview) } : {});
}

const COUNT_SCHEMA = {
  type: 'object',
  properties: { count: { type: 'integer' }, note: { type: ['string', 'null'] } },
  required: ['count', 'note'],
};

function askingTurn(questions: number, isForAdmin: boolean): PendingTurn {
  const first = aCall('ask_x', { arguments: {} });
  const second = aCall('ask_x', { id: 'call-count', arguments: {} });
  const others = isForAdmin ? [aCall('admin_x')] : [];
  if (questions === 1) return anAskingTurn([first, ...others]);
  return anAskingTurn([first, second, ...others], { questions: [aQuestion(first), aQuestion(second, COUNT_SCHEMA)] });
}

const any = (): boolean => true;
const isUnfenced = ({ row }: ModelRun): boolean => row.fenceCallId === '';
const isCancelled = ({ row }: ModelRun): boolean => row.status === 'cancelled';
const isFenced = ({ row }: ModelRun): boolean => row.fenceCallId !== '';
const isInDoubt = ({ row }: ModelRun): boolean => row.fenceCallId + row.recoverCallId !== '';
const isUndecided = ({ row }: ModelRun): boolean => row.decisionNumber === 0;
const isDecided = ({ row }: ModelRun): boolean => row.decisionNumber > 0;

/** The call this claim fences, known to whoever holds it and to nobody else. */
const callOf = ({ attempt }: Claim): string => `fence-${attempt}`;

const heldBy = ({ ownerToken, attempt }: Claim) => ({ ownerToken, attempt });

export function stepOf(
  claim: Claim,
  changes: Partial<TransitionInputs['record_step']> = {},
): TransitionInputs['record_step'] {
  return {
    ...heldBy(claim),
    events: [{ kind: 'tool', round: 1, durationMs: 1.5, payload: { attempt: claim.attempt } }],
    messages: [{ role: 'assistant', content: 'a step' }],
    usage: null,
    rounds: 0,
    phase: 'tools',
    fencedCallId: '',
    isEffectDone: false,
    endsTurn: false,
    ...changes,
  };
}

const USAGE = { inputTokens: 2, outputTokens: 1, costMicros: 5 };
const USED: Record<CommandOf<'model_step'>['used'], Usage | null> = {
  priced: USAGE,
  unpriced: { ...USAGE, costMicros: null },
  nothing: null,
};
const ANSWERED = { usage: USAGE, rounds: 1, phase: 'model' } as const;
const FAILURE = {
  failureClass: 'unknown',
  reason: 'provider_failed',
  errorClass: 'ModelError',
  sentence: 'It failed.',
  uncertainWrite: null,
} as const;

export const uncertainWrite = (cause: 'footprint_unknown' | 'orphaned', callId: string) => {
  const call = aCall('make_x', { id: callId });
  return {
    callId,
    toolName: call.name,
    effect: 'non_idempotent_write',
    target: null,
    cause,
    detail: { call, preview: null },
  } as const;
};

const showing = (claim: Claim, turn: PendingTurn) => ({ ...heldBy(claim), turn, effects: EFFECTS });

const fenceOf = (claim: Claim, isIdempotent: boolean): TransitionInputs['stamp_fence'] => ({
  ...heldBy(claim),
  callId: callOf(claim),
  effect: isIdempotent ? 'idempotent_write' : 'non_idempotent_write',
});

const completing = (claim: Claim, reason: 'completed' | 'max_iterations') => ({
  ...heldBy(claim),
  reason,
  answer: 'done',
});

const endFence = byHolder<'end_fence'>(isInDoubt, (life, claim, { isDone }) => {
  const row = life.model.runs.get(claim.runId)?.row;
  const fencedCallId = row?.fenceCallId || row?.recoverCallId || callOf(claim);
  return life.ask(claim.runId, 'record_step', stepOf(claim, { fencedCallId, isEffectDone: isDone }));
});

/** At the last millisecond of a lease, or just after it. */
const reclaimLate = byHolder<'reclaim_late'>(any, (life, { runId, ownerToken }, { msAfterLease }) => {
  const endsAtMs = life.model.runs.get(runId)?.row.leaseExpiresAtMs ?? 0;
  life.nowMs = Math.max(life.nowMs, endsAtMs + msAfterLease);
  return life.ask(runId, 'reclaim', { ownerToken, cause: 'lease_over' });
});

/** A worker writes down the last answer and the end of the run in one. */
const answerAndComplete = byHolder<'answer_and_complete'>(any, (life, claim) =>
  life.askPair(
    claim.runId,
    life.request('record_step', stepOf(claim, ANSWERED)),
    life.request('complete', completing(claim, 'completed')),
  ),
);

/** A worker writes down an answer and the card of the turn it asks for in one. */
const answerAndSuspend = byHolder<'answer_and_suspend'>(isUndecided, (life, claim, { turn }) =>
  life.askPair(
    claim.runId,
    life.request('record_step', stepOf(claim, ANSWERED)),
    life.request('suspend', showing(claim, turnOf(turn))),
  ),
);

const cancelAndStep = byHolder<'cancel_and_step_at_once'>(isFenced, (life, claim, { person, isCancelFirst }) => {
  const cancel = () => life.beginAsk(claim.runId, 'cancel', { actor: actorOf(person) });
  const step = () => life.beginAsk(claim.runId, 'record_step', stepOf(claim, { fencedCallId: callOf(claim) }));
  return isCancelFirst ? life.atOnce(cancel(), step()) : life.atOnce(step(), cancel());
});

/** The brake is pulled in the very moment in which a write is about to begin. */
const pauseAndFence = byHolder<'pause_and_fence_at_once'>(isDecided, (life, claim, { person, isPauseFirst }) => {
  const pause = () => beginPause(life, person, true);
  const fence = () => life.beginAsk(claim.runId, 'stamp_fence', fenceOf(claim, true));
  return isPauseFirst ? life.atOnce(pause(), fence()) : life.atOnce(fence(), pause());
});

export const ACTS: Record<Act, (life: Life, claim: Claim) => Promise<void>> = {
  renew: (life, claim) => life.ask(claim.runId, 'renew_lease', heldBy(claim)),
  release: (life, claim) => life.ask(claim.runId, 'release_claim', { ...heldBy(claim), cause: 'worker_stopped' }),
  fence: (life, claim) => life.ask(claim.runId, 'stamp_fence', fenceOf(claim, false)),
  suspend: (life, claim) => life.ask(claim.runId, 'suspend', showing(claim, turnOf('one'))),
  bounce: (life, claim) => life.ask(claim.runId, 'bounce', showing(claim, turnOf('one'))),
  complete: (life, claim) => life.ask(claim.runId, 'complete', completing(claim, 'completed')),
  fail: (life, claim) => life.ask(claim.runId, 'fail', { ...heldBy(claim), ...FAILURE }),
};

const goOnAfterCancel = async (life: Life, { index, act }: CommandOf<'go_on_after_cancel'>): Promise<void> => {
  const claims = life.claims.filter(({ runId }) => isCancelled(life.model.runs.get(runId) as ModelRun));
  const claim = claims[index % Math.max(claims.length, 1)];
  if (claim) await ACTS[act](life, claim);
};

/** What a worker still has to say after its run was cancelled. */
const lateStep = byHolder<'late_step'>(isCancelled, (life, claim, { endsFence }) => {
  const fencedCallId = endsFence ? callOf(claim) : '';
  return life.ask(claim.runId, 'record_step', stepOf(claim, { fencedCallId, usage: USAGE }));
});

export const WORKER_PLAYS = {
  claim: async (life, { isIdle, isAimed }) => {
    const isVain = !life.runs().some(({ row }) => row.status === 'queued');
    if (!isAimed || !isVain) await life.atOnce(life.beginClaim(isIdle));
  },
  claim_twice_at_once: (life, { isIdle }) => life.atOnce(life.beginClaim(isIdle), life.beginClaim(isIdle)),
  model_step: byHolder<'model_step'>(any, (life, claim, { used }) =>
    life.ask(claim.runId, 'record_step', stepOf(claim, { ...ANSWERED, usage: USED[used] })),
  ),
  tool_step: byHolder<'tool_step'>(any, (life, claim) => life.ask(claim.runId, 'record_step', stepOf(claim))),
  end_fence: endFence,
  end_turn: byHolder<'end_turn'>(isDecided, (life, claim) =>
    life.ask(claim.runId, 'record_step', stepOf(claim, { endsTurn: true })),
  ),
  late_step: (life, command) => lateStep(life, { ...command, claim: { ...command.claim, isHeld: false } }),
  go_on_after_cancel: goOnAfterCancel,
  renew: byHolder<'renew'>(any, (life, claim) => life.ask(claim.runId, 'renew_lease', heldBy(claim))),
  release: byHolder<'release'>(isUnfenced, (life, claim, { isPaused }) =>
    life.ask(claim.runId, 'release_claim', { ...heldBy(claim), cause: isPaused ? 'paused' : 'worker_stopped' }),
  ),
  fence: byHolder<'fence'>(isDecided, (life, claim, { isIdempotent }) =>
    life.ask(claim.runId, 'stamp_fence', fenceOf(claim, isIdempotent)),
  ),
  pause_and_fence_at_once: pauseAndFence,
  suspend: byHolder<'suspend'>(isUndecided, (life, claim, { turn }) =>
    life.ask(claim.runId, 'suspend', showing(claim, turnOf(turn))),
  ),
  ask_person: byHolder<'ask_person'>(isUndecided, (life, claim, { questions, isForAdmin }) =>
    life.ask(claim.runId, 'suspend', showing(claim, askingTurn(questions, isForAdmin))),
  ),
  bounce: byHolder<'bounce'>(isDecided, (life, claim, { turn }) =>
    life.ask(claim.runId, 'bounce', showing(claim, turnOf(turn))),
  ),
  complete: byHolder<'complete'>(any, (life, claim, { isCut }) =>
    life.ask(claim.runId, 'complete', completing(claim, isCut ? 'max_iterations' : 'completed')),
  ),
  answer_and_complete: answerAndComplete,
  answer_and_suspend: answerAndSuspend,
  fail: byHolder<'fail'>(any, (life, claim, { failureClass, retryAfterMs }) =>
    life.ask(claim.runId, 'fail', { ...heldBy(claim), ...FAILURE, failureClass, retryAfterMs }),
  ),
  fail_in_doubt: byHolder<'fail_in_doubt'>(any, (life, claim) => {
    const doubt = uncertainWrite('footprint_unknown', 'call-in-doubt');
    return life.ask(claim.runId, 'fail', { ...heldBy(claim), ...FAILURE, uncertainWrite: doubt });
  }),
  reclaim_dead: byHolder<'reclaim_dead'>(isFenced, (life, { runId, ownerToken }) =>
    life.ask(runId, 'reclaim', { ownerToken, cause: 'worker_died' }),
  ),
  reclaim_late: reclaimLate,
  orphan_write: async (life, { run }) => {
    const runId = pickRun(life, run, any);
    const input = { write: uncertainWrite('orphaned', 'call-orphaned'), attempt: 1 };
    if (runId) await life.ask(runId, 'record_orphan_write', input);
  },
  cancel_and_step_at_once: cancelAndStep,
} satisfies { [K in CommandKind]?: (life: Life, command: CommandOf<K>) => Promise<void> };

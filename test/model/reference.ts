import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import { isOver, type ModelRun, type ModelWorld, type Move, type No } from './model-state.ts';
import { PEOPLE_MOVES } from './reference-people.ts';
import { WORKER_MOVES } from './reference-worker.ts';

/*
 * The reference model: for every command the answer the store must give, and what is then true of each run.
 */

const MOVES: { [K in Exclude<TransitionKind, 'enqueue'>]: Move<K> } = { ...WORKER_MOVES, ...PEOPLE_MOVES };

/** What the store must say about a run nobody ever opened. */
const OF_NO_RUN: Record<keyof typeof MOVES, No> = {
  record_step: 'lease_lost',
  renew_lease: 'lease_lost',
  stamp_fence: 'lease_lost',
  release_claim: 'lease_lost',
  suspend: 'lease_lost',
  bounce: 'lease_lost',
  complete: 'lease_lost',
  fail: 'lease_lost',
  reclaim: 'lease_lost',
  record_orphan_write: 'lease_lost',
  expire: 'unknown_run',
  remind: 'unknown_run',
  decide_approval: 'not_awaiting_approval',
  submit_input: 'not_awaiting_input',
  edit_card: 'not_awaiting_approval',
  withdraw_approval: 'unknown_run',
  cancel: 'unknown_run',
  cancel_if_waiting: 'unknown_run',
  retry: 'unknown_run',
  settle_unreadable: 'unknown_run',
  release_restored: 'unknown_run',
  resolve_uncertain: 'unknown_run',
};

/** Plays one transition on the model. Null = accepted, and the model has moved. */
export function playOnModel<K extends TransitionKind>(
  world: ModelWorld,
  runId: string,
  kind: K,
  input: TransitionInputs[K],
  nowMs: number,
): No {
  if (kind === 'enqueue') return enqueue(world, runId, input as TransitionInputs['enqueue'], nowMs);
  const run = world.runs.get(runId);
  const known: Exclude<TransitionKind, 'enqueue'> = kind;
  if (run) return moveOnModel(world, run, known as K & keyof typeof MOVES, input, nowMs);
  const isForAdmins = known === 'settle_unreadable' || known === 'release_restored';
  const isByStranger = isForAdmins && !isAdmin(world, input as TransitionInputs['settle_unreadable']);
  return isByStranger ? 'not_administrator' : OF_NO_RUN[known];
}

/** What may still happen to a run that came with a copy; anything else that would be accepted is refused for that. */
const OF_COPIES: readonly string[] = ['cancel', 'cancel_if_waiting', 'settle_unreadable', 'release_restored'];

function moveOnModel<K extends keyof typeof MOVES>(
  world: ModelWorld,
  run: ModelRun,
  kind: K,
  input: TransitionInputs[K],
  nowMs: number,
): No {
  const move = MOVES[kind] as Move<K>;
  if (!run.isCopied || OF_COPIES.includes(kind)) return move(world, run, input, nowMs);
  const elsewhere: ModelWorld = { ...world, doubts: [...world.doubts] };
  return move(elsewhere, structuredClone(run), input, nowMs) ?? 'restored';
}

/** The file is put back from a copy: what has not ended may have gone on elsewhere. */
export function noticeCopyOnModel(world: ModelWorld): void {
  for (const run of world.runs.values()) run.isCopied = !isOver(run);
}

function isAdmin(world: ModelWorld, { actor }: TransitionInputs['settle_unreadable']): boolean {
  const person = actor.kind === 'operator' ? world.people.get(actor.operatorId) : undefined;
  return person?.isAdmin === true && person.isEnabled;
}

function enqueue(world: ModelWorld, id: string, input: TransitionInputs['enqueue'], nowMs: number): No {
  const { actor, mode, request } = input;
  if (request.messages.length === 0) return 'invalid_request';
  const isThere = actor.kind === 'operator' ? world.people.get(actor.operatorId)?.isEnabled : actor.kind === 'service';
  if (!isThere) return 'operator_unavailable';
  if (world.runs.has(id)) return 'already_started';
  const configuration = world.configurations.get(input.configurationId);
  if (!configuration) return 'configuration_gone';
  if (!configuration.isActive) return 'configuration_inactive';
  const owner = actor.kind === 'operator' ? actor.operatorId : 0;
  world.runs.set(id, {
    id,
    mode,
    owner,
    configuration: input.configurationId,
    turn: null,
    remindedOf: [],
    decision: null,
    isCopied: false,
    row: newRow(nowMs),
  });
  return null;
}

const newRow = (nowMs: number): ModelRun['row'] => ({
  status: 'queued',
  segment: 'start',
  ownerToken: '',
  attempt: 0,
  leaseExpiresAtMs: 0,
  phase: '',
  requeueCount: 0,
  runsAlone: false,
  fenceEffect: '',
  fenceCallId: '',
  recoverCallId: '',
  hasNonIdempotentEffect: false,
  hold: '',
  nextAttemptAtMs: nowMs,
  notBeforeAtMs: 0,
  offlineDelayMs: 0,
  offlineSinceMs: 0,
  rounds: 0,
  inputTokens: 0,
  costMicros: null,
  unpricedAnswers: 0,
  previewRevision: 0,
  bounceCount: 0,
  decisionNumber: 0,
  lastDecisionNumber: 0,
  isTruncated: false,
  endReason: '',
  queuedAtMs: nowMs,
  waitingSinceMs: 0,
  finishedAtMs: 0,
});

/** Everybody may pause; an administrator, or who paused last, may resume. Then no run is held for the pause. */
export function pauseOnModel(world: ModelWorld, by: number, isPaused: boolean): No {
  const person = world.people.get(by);
  if (!person?.isEnabled) return 'operator_unavailable';
  if (world.pause.isPaused === isPaused) return null;
  if (!isPaused && !person.isAdmin && world.pause.by !== by) return 'not_administrator';
  world.pause = { isPaused, by };
  const heldBack = [...world.runs.values()].filter(({ row }) => !isPaused && row.hold === 'paused');
  for (const { row } of heldBack) row.hold = '';
  return null;
}

/** Every run that waits for the same server is due now. Returns how many. */
export function endOfflineOnModel(world: ModelWorld, configuration: string | null, nowMs: number): number {
  const endpointOf = (id: string): string | undefined => world.configurations.get(id)?.endpoint;
  const back = [...world.runs.values()].filter(
    (run) =>
      run.row.status === 'queued' &&
      run.row.hold === 'offline' &&
      run.row.nextAttemptAtMs > nowMs &&
      (configuration === null || endpointOf(run.configuration) === endpointOf(configuration)),
  );
  for (const { row } of back) row.nextAttemptAtMs = nowMs;
  return back.length;
}

/** A run queued more than a minute in the future waits no longer than now. Returns how many. */
export function mendDueTimesOnModel(world: ModelWorld, nowMs: number): number {
  const future = [...world.runs.values()].filter(
    ({ row }) => row.status === 'queued' && row.queuedAtMs > nowMs + 60_000,
  );
  for (const { row } of future) {
    row.nextAttemptAtMs = Math.min(row.nextAttemptAtMs, nowMs);
    row.notBeforeAtMs = Math.min(row.notBeforeAtMs, nowMs);
    row.queuedAtMs = nowMs;
  }
  return future.length;
}

/** Somebody damages every stored turn. Returns how many that were whole. */
export function damageTurnsOnModel(world: ModelWorld): number {
  const turns = [...world.runs.values()].filter((run) => run.turn?.isDamaged === false);
  for (const { turn } of turns) if (turn) turn.isDamaged = true;
  return turns.length;
}

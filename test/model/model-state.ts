import type { Refusal } from '../../src-shared/refusals.ts';
import type { RunMode } from '../../src-shared/vocabulary.ts';
import type { PendingTurn, RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';

/*
 * What the reference model knows: plain data about runs, people and the installation. Nothing of this
 * folder's reference files may import a rule of the product: they say the specification a second time,
 * shorter, and whoever of the two is wrong is found by the difference.
 */

/** The columns the model foretells; the others are names, and figures that follow from these. */
export const FORETOLD = [
  'status',
  'segment',
  'ownerToken',
  'attempt',
  'leaseExpiresAtMs',
  'phase',
  'requeueCount',
  'runsAlone',
  'fenceEffect',
  'fenceCallId',
  'recoverCallId',
  'hasNonIdempotentEffect',
  'hold',
  'nextAttemptAtMs',
  'notBeforeAtMs',
  'offlineDelayMs',
  'offlineSinceMs',
  'rounds',
  'inputTokens',
  'costMicros',
  'unpricedAnswers',
  'previewRevision',
  'bounceCount',
  'decisionNumber',
  'lastDecisionNumber',
  'isTruncated',
  'endReason',
  'queuedAtMs',
  'waitingSinceMs',
  'finishedAtMs',
] as const satisfies readonly (keyof RunRecord)[];
export type ForetoldRow = Pick<RunRecord, (typeof FORETOLD)[number]>;

/** The turn a run waits with, or whose decision it carries out. `text` is its identity: same text, same digest. */
export interface ModelTurn {
  text: string;
  asks: boolean;
  /** Something of it is a write: who releases it must be a person. */
  writes: boolean;
  needsAdmin: boolean;
  /** Who put arguments of their own into it. */
  editors: number[];
  /** Nobody can see what a write of it would change. */
  isBlind: boolean;
  /** Somebody damaged what is stored of it. */
  isDamaged: boolean;
}

export interface ModelRun {
  id: string;
  mode: RunMode;
  /** 0 = a service account started it. */
  owner: number;
  configuration: string;
  /** Without what is said of a run that came with a copy: its hold is that of the copy. */
  row: ForetoldRow;
  /** It came with a copy of the file, and nobody has let it go on yet. */
  isCopied: boolean;
  turn: ModelTurn | null;
  /** Waits, by their beginning, of which it was said that they will be over soon. */
  remindedOf: number[];
  /** Who decided the turn, and how; null while nobody did. */
  decision: { by: number; kind: 'approval' | 'denial' | 'answer' } | null;
}

export interface ModelPerson {
  isAdmin: boolean;
  isEnabled: boolean;
  mayApprove: boolean;
}

export interface ModelConfiguration {
  isActive: boolean;
  /** '' and 0 = a model that serves any number of runs at once. */
  endpoint: string;
  limit: number;
  needsSecondPerson: boolean;
  offlineLimitMs: number;
  /** Null = nobody set one. */
  decisionLimitMs: number | null;
}

/** A write that somebody has to look at. */
export interface Doubt {
  runId: string;
  callId: string;
  effect: string;
  cause: string;
}

export interface ModelWorld {
  runs: Map<string, ModelRun>;
  people: Map<number, ModelPerson>;
  configurations: Map<string, ModelConfiguration>;
  pause: { isPaused: boolean; by: number };
  doubts: Doubt[];
  /** What each digest ever shown on a card stood for. */
  turnOfDigest: Map<string, string>;
}

/** Why the model says no; null = it says yes and has changed the run. */
export type No = Refusal['kind'] | null;

/** What a transition does to the model. */
export type Move<K extends TransitionKind> = (
  world: ModelWorld,
  run: ModelRun,
  input: TransitionInputs[K],
  nowMs: number,
) => No;

export const isOver = ({ row }: ModelRun): boolean => ['completed', 'failed', 'cancelled'].includes(row.status);
export const isWaitingRun = ({ row }: ModelRun): boolean => row.status.startsWith('waiting');

/** Nobody carries out a decision for an account that is disabled. */
export const isOwnerAway = (world: ModelWorld, { owner, decision }: ModelRun): boolean =>
  decision !== null && owner > 0 && !world.people.get(owner)?.isEnabled;

/** Why a queued run is not taken, as anybody sees it: what its row says, else what is so at this moment. */
export function shownHold(world: ModelWorld, run: ModelRun): RunRecord['hold'] {
  if (run.isCopied) return 'restored';
  if (run.row.status !== 'queued' || run.row.hold !== '') return run.row.hold;
  if (world.configurations.get(run.configuration)?.isActive === false) return 'configuration_inactive';
  return isOwnerAway(world, run) ? 'initiator_unavailable' : '';
}

/** Tools of the tests that change something. */
const WRITING = ['set_x', 'make_x', 'admin_x'];

/** Whether a write has no preview that anybody could read. */
export const hidesWrite = (calls: { id: string; name: string }[], previews: PendingTurn['previews']): boolean =>
  calls.some(
    ({ id, name }) => WRITING.includes(name) && previews.find(({ callId }) => callId === id)?.preview.kind === 'failed',
  );

export function modelTurn({ calls, questions, previews }: PendingTurn): ModelTurn {
  return {
    text: JSON.stringify([calls, questions]),
    asks: questions.length > 0,
    writes: calls.some(({ name }) => WRITING.includes(name)),
    needsAdmin: calls.some(({ name }) => name === 'admin_x'),
    editors: [],
    isBlind: hidesWrite(calls, previews),
    isDamaged: false,
  };
}

/** Nobody holds a row that is not running, and nothing is in flight there. */
export const UNHELD = { ownerToken: '', leaseExpiresAtMs: 0, phase: '', fenceEffect: '', fenceCallId: '' } as const;

/** Ends a run; a write nobody can tell the outcome of is listed. */
export function endRun(
  world: ModelWorld,
  run: ModelRun,
  status: 'completed' | 'failed' | 'cancelled',
  endReason: ForetoldRow['endReason'],
  nowMs: number,
): void {
  const callId = run.row.fenceCallId || run.row.recoverCallId;
  const effect = run.row.fenceEffect || 'idempotent_write';
  if (callId) world.doubts.push({ runId: run.id, callId, effect, cause: 'interrupted' });
  Object.assign(run.row, UNHELD, { status, endReason, recoverCallId: '', hold: '', finishedAtMs: nowMs });
  Object.assign(run.row, { waitingSinceMs: 0, bounceCount: 0, decisionNumber: 0 });
  run.turn = null;
  run.decision = null;
  run.isCopied = false;
}

/** What a row says: of a run that came with a copy, that it is held for it. */
export const saidOf = ({ row, isCopied }: ModelRun): ForetoldRow => (isCopied ? { ...row, hold: 'restored' } : row);

/** Puts a held run back into the queue; what was fenced is examined before it goes on. */
export function queueAgain({ row }: ModelRun, nowMs: number, delayMs: number): void {
  const recoverCallId = row.fenceCallId || row.recoverCallId;
  Object.assign(row, UNHELD, {
    status: 'queued',
    recoverCallId,
    queuedAtMs: nowMs,
    nextAttemptAtMs: nowMs + delayMs,
  });
}

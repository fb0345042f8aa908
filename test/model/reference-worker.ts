import type { TransitionKind } from '../../src-main/domain/transitions.ts';
import {
  endRun,
  isOwnerAway,
  modelTurn,
  queueAgain,
  UNHELD,
  type ModelRun,
  type ModelWorld,
  type Move,
  type No,
} from './model-state.ts';

/*
 * What a worker, or whoever takes a run back from one, may do. Source: runtime.md §4, §7 to §10; architecture.md §5a.
 */

const LEASE_MS = 900_000;
/** Before the second, third and fourth try. */
const BACKOFF_MS = [30_000, 60_000, 120_000];
const MOST_TRIES = 3;
const WORTH_ANOTHER_TRY = ['connection', 'rateLimit', 'serverError', 'circuitOpen', 'storage'];
const LONGEST_OFFLINE_WAIT_MS = 600_000;

interface Held {
  ownerToken: string;
  attempt: number;
}

/** Null = this claim holds the run. */
function lost({ row }: ModelRun, claim: Held): No {
  if (row.status === 'running' && row.ownerToken === claim.ownerToken) return null;
  return row.status === 'cancelled' && row.attempt === claim.attempt ? 'run_cancelled' : 'lease_lost';
}

/** A move that only the holder of the run makes. */
const held =
  <K extends TransitionKind>(move: Move<K>): Move<K> =>
  (world, run, input, nowMs) =>
    lost(run, input as unknown as Held) ?? move(world, run, input, nowMs);

const recordStep: Move<'record_step'> = (world, run, input, nowMs) => {
  const no = lost(run, input);
  if (no === 'lease_lost') return no;
  const { row } = run;
  row.rounds += input.rounds;
  row.inputTokens += input.usage?.inputTokens ?? 0;
  if (input.usage?.costMicros === null) row.unpricedAnswers += 1;
  else if (input.usage) row.costMicros = (row.costMicros ?? 0) + input.usage.costMicros;
  if (no === 'run_cancelled') {
    // What happened, happened: the step of a cancelled run takes its write off the list.
    if (input.fencedCallId) settleDoubt(world, run, input.fencedCallId);
    return null;
  }
  Object.assign(row, { phase: input.phase, leaseExpiresAtMs: nowMs + LEASE_MS });
  if (input.usage) Object.assign(row, { offlineDelayMs: 0, offlineSinceMs: 0 });
  if (input.fencedCallId) {
    row.hasNonIdempotentEffect ||= input.isEffectDone && row.fenceEffect === 'non_idempotent_write';
    Object.assign(row, { fenceEffect: '', fenceCallId: '', recoverCallId: '' });
  }
  if (input.endsTurn) {
    Object.assign(row, { bounceCount: 0, decisionNumber: 0, recoverCallId: '' });
    run.turn = null;
    run.decision = null;
  }
  return null;
};

export function settleDoubt(world: ModelWorld, { id }: ModelRun, callId: string): void {
  world.doubts = world.doubts.filter((doubt) => doubt.runId !== id || doubt.callId !== callId);
}

const renew: Move<'renew_lease'> = (_world, { row }, _input, nowMs) => {
  row.leaseExpiresAtMs = nowMs + LEASE_MS;
  return null;
};

const fence: Move<'stamp_fence'> = (world, { row }, { effect, callId }, nowMs) => {
  if (world.pause.isPaused) return 'paused';
  Object.assign(row, { fenceEffect: effect, fenceCallId: callId, recoverCallId: '', phase: 'tools' });
  row.leaseExpiresAtMs = nowMs + LEASE_MS;
  return null;
};

const release: Move<'release_claim'> = (_world, run, { cause }, nowMs) => {
  if (run.row.fenceEffect) return 'lease_lost';
  queueAgain(run, nowMs, 0);
  run.row.hold = cause === 'paused' ? 'paused' : '';
  return null;
};

/** A turn is shown: nobody holds the run, and the card has a revision no other card of it had. */
const show: Move<'suspend'> = (_world, run, { turn }, nowMs) => {
  run.turn = modelTurn(turn);
  run.decision = null;
  run.row.previewRevision += 1;
  Object.assign(run.row, UNHELD, {
    status: run.turn.asks ? 'waiting_for_input' : 'waiting_for_approval',
    segment: 'resume',
    decisionNumber: 0,
    waitingSinceMs: nowMs,
  });
  return null;
};

const suspend: Move<'suspend'> = (world, run, input, nowMs) => {
  run.row.bounceCount = 0;
  return show(world, run, input, nowMs);
};

const bounce: Move<'bounce'> = (world, run, input, nowMs) => {
  run.row.bounceCount += 1;
  return show(world, run, input, nowMs);
};

const complete: Move<'complete'> = (world, run, { reason }, nowMs) => {
  endRun(world, run, 'completed', reason, nowMs);
  run.row.isTruncated = reason !== 'completed';
  return null;
};

const fail: Move<'fail'> = (world, run, input, nowMs) => {
  const { row } = run;
  const end = (reason: typeof input.reason): No => {
    endRun(world, run, 'failed', reason, nowMs);
    return null;
  };
  if (input.uncertainWrite) {
    // What the segment knows of the write replaces what the row knows.
    const { callId, effect, cause } = input.uncertainWrite;
    Object.assign(row, { fenceCallId: '', recoverCallId: '' });
    world.doubts.push({ runId: run.id, callId, effect, cause });
    return end(input.reason);
  }
  if (row.fenceEffect === 'non_idempotent_write') return end('not_retryable');
  if (run.mode === 'interactive' && row.lastDecisionNumber === 0) return end(input.reason);
  if (!WORTH_ANOTHER_TRY.includes(input.failureClass)) {
    return end(input.reason === 'provider_failed' ? 'not_retryable' : input.reason);
  }
  const segment = row.decisionNumber > 0 ? 'resume' : 'retry';
  // An endpoint that is left alone was not even asked: held like one that cannot be reached.
  if (input.failureClass === 'connection' || input.failureClass === 'circuitOpen') {
    const sinceMs = row.offlineSinceMs || nowMs;
    const limitMs = world.configurations.get(run.configuration)?.offlineLimitMs ?? 0;
    if (nowMs - sinceMs >= limitMs) return end('retries_exhausted');
    const delayMs = row.offlineDelayMs === 0 ? 5_000 : Math.min(row.offlineDelayMs * 2, LONGEST_OFFLINE_WAIT_MS);
    queueAgain(run, nowMs, delayMs);
    Object.assign(row, { segment, hold: 'offline', offlineDelayMs: delayMs, offlineSinceMs: sinceMs });
    return null;
  }
  if (row.requeueCount === MOST_TRIES) return end('retries_exhausted');
  const askedMs = Math.min(input.retryAfterMs ?? 0, 600_000);
  queueAgain(run, nowMs, Math.max(BACKOFF_MS[row.requeueCount] ?? 0, askedMs));
  Object.assign(row, { segment, requeueCount: row.requeueCount + 1 });
  return null;
};

const reclaim: Move<'reclaim'> = (world, run, { ownerToken, cause }, nowMs) => {
  const { row } = run;
  if (row.status !== 'running' || row.ownerToken !== ownerToken) return 'lease_lost';
  if (cause === 'lease_over' && row.leaseExpiresAtMs >= nowMs) return 'lease_lost';
  const isCounted = row.phase === 'tools';
  const isOnce = row.fenceEffect === 'non_idempotent_write';
  if (isOnce || (isCounted && row.requeueCount === MOST_TRIES)) {
    endRun(world, run, 'failed', isOnce ? 'not_retryable' : 'retries_exhausted', nowMs);
    return null;
  }
  queueAgain(run, nowMs, isCounted ? (BACKOFF_MS[row.requeueCount] ?? 0) : 0);
  if (row.segment === 'start' && row.rounds > 0) row.segment = 'retry';
  if (isCounted) Object.assign(row, { requeueCount: row.requeueCount + 1, runsAlone: true });
  return null;
};

const orphan: Move<'record_orphan_write'> = (world, run, { write }) => {
  const { callId, effect, cause } = write;
  world.doubts.push({ runId: run.id, callId, effect, cause });
  return null;
};

/** When a run ends because nobody decided; no time at all where nobody set a limit. */
function endOfWait(world: ModelWorld, { row, configuration }: ModelRun): number {
  const limitMs = world.configurations.get(configuration)?.decisionLimitMs ?? null;
  return row.status.startsWith('waiting') && limitMs !== null ? row.waitingSinceMs + limitMs : Number.NaN;
}

/** A waiting run ends when its limit is over, not a millisecond earlier. */
const expire: Move<'expire'> = (world, run, _input, nowMs) => {
  if (!(nowMs >= endOfWait(world, run))) return 'not_waiting';
  endRun(world, run, 'cancelled', 'expired', nowMs);
  return null;
};

/** On its last day, once in each wait. */
const remind: Move<'remind'> = (world, run, _input, nowMs) => {
  const endMs = endOfWait(world, run);
  const isLastDay = nowMs >= endMs - 86_400_000 && nowMs < endMs;
  if (!isLastDay || run.remindedOf.includes(run.row.waitingSinceMs)) return 'not_waiting';
  run.remindedOf.push(run.row.waitingSinceMs);
  return null;
};

export const WORKER_MOVES = {
  record_step: recordStep,
  renew_lease: held(renew),
  stamp_fence: held(fence),
  release_claim: held(release),
  suspend: held(suspend),
  bounce: held(bounce),
  complete: held(complete),
  fail: held(fail),
  reclaim,
  record_orphan_write: orphan,
  expire,
  remind,
} satisfies { [K in TransitionKind]?: Move<K> };

/** The runs a claim may take: of those that are due, the ones that have been due the longest. */
export function claimable(world: ModelWorld, isIdle: boolean, nowMs: number): string[] {
  if (world.pause.isPaused) return [];
  const runs = [...world.runs.values()];
  const isServed = ({ configuration }: ModelRun): boolean => {
    const used = world.configurations.get(configuration);
    if (!used?.isActive) return false;
    const atOnce = runs.filter(
      (run) => run.row.status === 'running' && world.configurations.get(run.configuration)?.endpoint === used.endpoint,
    );
    return used.limit === 0 || atOnce.length < used.limit;
  };
  const due = runs.filter(
    (run) =>
      run.row.status === 'queued' &&
      !run.isCopied &&
      run.row.nextAttemptAtMs <= nowMs &&
      run.row.notBeforeAtMs <= nowMs &&
      (isIdle || !run.row.runsAlone) &&
      !isOwnerAway(world, run) &&
      isServed(run),
  );
  const rank = ({ row }: ModelRun): number[] => [row.nextAttemptAtMs, row.queuedAtMs];
  const isAhead = (one: number[], two: number[]): boolean =>
    one[0] === two[0] ? (one[1] ?? 0) < (two[1] ?? 0) : (one[0] ?? 0) < (two[0] ?? 0);
  return due.filter((run) => !due.some((other) => isAhead(rank(other), rank(run)))).map(({ id }) => id);
}

/** From here on nobody takes the decision back that is carried out, whatever the clock says. */
export function takeClaim({ row }: ModelRun, ownerToken: string, nowMs: number): void {
  row.notBeforeAtMs = 0;
  row.attempt += 1;
  Object.assign(row, { status: 'running', ownerToken, leaseExpiresAtMs: nowMs + LEASE_MS, phase: 'model', hold: '' });
}

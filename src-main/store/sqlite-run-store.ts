import type { Database } from 'better-sqlite3';
import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { claimRun, mayStartFromRequest, type ClaimInput, type Opening } from '../domain/claim-rules.ts';
import { LEASE_MS } from '../domain/limits.ts';
import { restoredBar } from '../domain/restored-gate.ts';
import type { RunRecord } from '../domain/run.ts';
import type { Facts, RunChange } from '../domain/run-change.ts';
import { rowFor, type Mover } from '../domain/transition-table.ts';
import { actorOf, TRANSITIONS, type TransitionInputs, type TransitionKind } from '../domain/transitions.ts';
import { operatorIdOf } from '../domain/actor.ts';
import type { Sealer } from '../system/seal.ts';
import { applyChange, loadRun, uncertainCallIds } from './apply-change.ts';
import { changesAfter, proveHead, signHead } from './change-log.ts';
import { hasFutureRuns, mendDueTimes } from './clock-writes.ts';
import { configurationsStamp, loadConfiguration } from './configuration-store.ts';
import { createConfigurationWrites } from './configuration-writes.ts';
import { IS_PAUSED, isPaused } from './installation-log.ts';
import { assertCurrentSchema } from './migrate.ts';
import { isReminded, lastEvent } from './event-log.ts';
import { endOffline, hasOffline } from './offline-writes.ts';
import { loadOperator } from './operator-store.ts';
import { recordRepair, setPause } from './installation-writes.ts';
import { createPeopleStore } from './sqlite-people-store.ts';
import { purgeChunk } from './purge.ts';
import { signReceipt } from './receipts.ts';
import { IS_OWNER_AWAY } from './holds.ts';
import { RESTORED_AT } from './restored.ts';
import { createRunQueries } from './run-queries.ts';
import { readRun, RUN_COLUMNS, type RunRow } from './run-row.ts';
import type { Committed, RunStore, TransitionRequest } from './run-store.ts';
import { hasTranscript, openOr, readDecision, readPendingTurn, readRequest } from './sealed-parts.ts';
import { Statements } from './statements.ts';
import { guardTransitions } from './transition-guard.ts';
import { forgetWorker, touchWorker } from './worker-store.ts';
import { WriteQueue, type QueueTimer } from './write-queue.ts';

/** Whether the endpoint of a configuration serves as many runs already as it can. */
const IS_BUSY = `endpoint_limit > 0 and endpoint_limit <= (
  select count(*) from runs as busy indexed by runs_running join configurations as used on used.id = busy.configuration_id
  where busy.status = 'running' and used.endpoint = configurations.endpoint
)`;

/**
 * The guard of a claim is this one statement: two workers can never both see a
 * row as claimable and both take it (SELECT-then-UPDATE was measured to). A run of
 * an inactive configuration stays queued, as a decided one whose owner is disabled; one whose configuration is gone is
 * claimed so that it can end with that reason. A row that is not where the record
 * left it was changed outside and is never claimed, and neither is one of a restored copy. While everything is paused
 * nothing is claimed, and no more runs of one endpoint than it serves at once.
 */
export const CLAIM = `
  update runs set status = 'running', owner_token = :owner_token, worker_id = :worker_id, lease_expires_at_ms = :lease_expires_at_ms
  where id = (
    select id from runs
    where status = 'queued' and next_attempt_at_ms <= :now_ms and not_before_at_ms <= :now_ms and not ${IS_PAUSED}
      and (runs_alone = 0 or :is_idle = 1)
      and exists (
        select 1 from changes
        where seq = (select max(seq) from changes where run_id = runs.id)
          and status = 'queued' and last_sequence = runs.last_sequence and last_hash = runs.last_hash
          and seq > coalesce(${RESTORED_AT}, 0)
      )
      and not exists (
        select 1 from configurations where configurations.id = runs.configuration_id and (is_active = 0 or ${IS_BUSY})
      )
      and not ${IS_OWNER_AWAY}
    order by next_attempt_at_ms, queued_at_ms limit 1
  )
  returning ${RUN_COLUMNS}`;

/** Every transaction starts where the record was signed last and ends with a new signature. */
function chainedQueue(statements: Statements, sealer: Sealer, timer: QueueTimer): WriteQueue {
  const mac = (text: string): string => sealer.mac(text);
  return new WriteQueue(
    statements.database,
    timer,
    () => signHead(statements, mac),
    () => proveHead(statements, mac),
  );
}

/** The store on one SQLite file. The connection is the caller's process's own. */
export function createSqliteRunStore(database: Database, sealer: Sealer, timer: QueueTimer): RunStore {
  guardTransitions(database);
  const statements = new Statements(database);
  const queue = chainedQueue(statements, sealer, timer);
  const listeners = new Set<(committed: Committed) => void>();
  const announce = (runIds: string[], wakes: boolean): void => {
    // A listener that throws is its own fault; the commit stands and its promise resolves.
    for (const listener of listeners) queueMicrotask(() => listener({ runIds, wakes }));
  };

  return {
    ...createRunQueries(statements, sealer),
    ...createMoves(statements, sealer, queue, announce),

    ...createInstallationWrites(statements, sealer, queue, announce),

    async endOffline(configurationId, nowMs) {
      // Asked after every segment: the write lock is taken only when there is something to do.
      if (!hasOffline(statements, nowMs)) return accepted(0);
      const result = await queue.run(() => accepted(endOffline(statements, configurationId, nowMs)));
      if (result.ok && result.value > 0) announce([], true);
      return result;
    },

    async mendDueTimes(nowMs) {
      if (!hasFutureRuns(statements, nowMs)) return accepted(0);
      const result = await queue.run(() => accepted(mendDueTimes(statements, nowMs)));
      if (result.ok && result.value > 0) announce([], true);
      return result;
    },

    ...createConfigurationWrites(statements, sealer, queue, () => announce([], false)),

    ...createPeopleStore(statements, sealer, queue, () => announce([], false)),

    ...createWorkerWrites(statements, queue),

    dataVersion: () => database.pragma('data_version', { simple: true }) as number,
    changesAfter: (seq) => changesAfter(statements, seq),
    configurationsStamp: () => configurationsStamp(statements),
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => database.close(),
  };
}

/** Claims, and the moves of runs by their rules; each, or each pair, one transaction. */
function createMoves(
  statements: Statements,
  sealer: Sealer,
  queue: WriteQueue,
  announce: (runIds: string[], wakes: boolean) => void,
): Pick<RunStore, 'transition' | 'transitionPair' | 'claim'> {
  /** One move inside a transaction. */
  const move = <K extends TransitionKind>(runId: string, request: TransitionRequest<K>): Result<Moved> => {
    const judged = judge(statements, sealer, runId, request);
    if (!judged.ok) return judged;
    const { run, change } = judged.value;
    return accepted({
      run: applyChange(statements, sealer, run, change, request.nowMs),
      wakes: change.wakes === true,
    });
  };

  return {
    async claim(input) {
      const result = await queue.run(() => accepted(claimNext(statements, sealer, input)));
      if (result.ok && result.value) announce([result.value.id], false);
      return result;
    },

    async transition(runId, request) {
      const result = await queue.run(() => move(runId, request));
      if (!result.ok) return result;
      announce([runId], result.value.wakes);
      return accepted(result.value.run);
    },

    async transitionPair(runId, first, second) {
      const result = await queue.run(() => {
        const one = move(runId, first);
        return one.ok ? accepted({ wakes: one.value.wakes, two: move(runId, second) }) : one;
      });
      if (!result.ok) return result;
      const { wakes, two } = result.value;
      announce([runId], wakes || (two.ok && two.value.wakes));
      return two.ok ? accepted(two.value.run) : two;
    },
  };
}

/** What people do to the installation as a whole, each kept in its record. */
function createInstallationWrites(
  statements: Statements,
  sealer: Sealer,
  queue: WriteQueue,
  announce: (runIds: string[], wakes: boolean) => void,
): Pick<RunStore, 'setPause' | 'recordRepair' | 'purge'> {
  return {
    async setPause(input, nowMs) {
      const result = await queue.run(() => setPause(statements, sealer, input, nowMs));
      // Whoever resumes makes runs claimable.
      if (result.ok) announce([], !result.value.isPaused);
      return result;
    },

    async recordRepair(input, nowMs) {
      const result = await queue.run(() => recordRepair(statements, sealer, input, nowMs));
      if (result.ok) announce([], false);
      return result;
    },

    async purge(input, nowMs) {
      const result = await queue.run(() => purgeChunk(statements, sealer, input, nowMs));
      if (!result.ok || result.value.runs === 0) return result;
      // What a purge wrote goes into the file here, beside other writers: left to them, it was a decision that waited for 16 MB.
      statements.database.pragma('wal_checkpoint(passive)');
      announce([], false);
      return result;
    },
  };
}

/** What workers say of themselves. */
function createWorkerWrites(statements: Statements, queue: WriteQueue): Pick<RunStore, 'touchWorker' | 'forgetWorker'> {
  return {
    touchWorker: (worker) =>
      queue.run(() => {
        touchWorker(statements, worker);
        return accepted(null);
      }),

    forgetWorker: (workerId) =>
      queue.run(() => {
        forgetWorker(statements, workerId);
        return accepted(null);
      }),
  };
}

/** A run that was moved, and whether workers have to look. */
interface Moved {
  run: RunRecord;
  wakes: boolean;
}

/** Reads what the rule declares it needs, and asks it. */
function judge<K extends TransitionKind>(
  statements: Statements,
  sealer: Sealer,
  runId: string,
  request: TransitionRequest<K>,
): Result<{
  run: RunRecord | null;
  change: Extract<ReturnType<(typeof TRANSITIONS)[K]['rule']>, { ok: true }>['value'];
}> {
  // Judged inside the transaction: a worker of an older release stops before its next effect.
  assertCurrentSchema(statements);
  const { rule, needs } = TRANSITIONS[request.kind];
  const run = loadRun(statements, runId);
  const facts: Facts = {
    run,
    nowMs: request.nowMs,
    operator: null,
    configuration: null,
    pendingTurn: null,
    decision: null,
    uncertainCallIds: needs.includes('uncertainWrites') ? uncertainCallIds(statements, runId) : [],
    isReminded: needs.includes('reminder') && isReminded(statements, runId),
    isPaused: needs.includes('pause') && isPaused(statements),
    isPurged: needs.includes('purge') && !run && isRecorded(statements, runId),
  };
  const actor = actorOf(request.input);
  if (actor && operatorIdOf(actor) > 0) facts.operator = loadOperator(statements, sealer, operatorIdOf(actor));
  if (needs.includes('configuration')) {
    facts.configuration = loadConfiguration(statements, sealer, configurationIdOf(run, request.input));
  }
  if (run && needs.includes('pendingTurn'))
    facts.pendingTurn = openOr('unreadable', () => readPendingTurn(statements, sealer, run));
  if (run && needs.includes('decision')) {
    facts.decision = openOr(null, () => readDecision(statements, sealer, run.id, run.decisionNumber));
  }
  const judged = rule(facts, request.input);
  if (!judged.ok) return judged;
  const barred = restoredBar(request.kind, run);
  if (barred) return refused(barred);
  proveListed(request.kind, run, judged.value);
  return accepted({ run, change: judged.value });
}

/** Whether the record knows a run of this id. */
const isRecorded = (statements: Statements, runId: string): boolean =>
  statements.get('select 1 from changes where run_id = ? limit 1').get(runId) !== undefined;

/** A rule that makes a move the table of transitions does not know is a bug; nothing of it is applied. */
function proveListed(mover: Mover, run: RunRecord | null, change: RunChange): void {
  const from = change.from;
  const to = change.create?.status ?? change.set.status ?? run?.status;
  if (!to || !rowFor(mover, from, to)) throw new Error(`No transition lets ${mover} take a run from ${from} to ${to}.`);
}

const configurationIdOf = (run: RunRecord | null, input: TransitionInputs[TransitionKind]): string =>
  run?.configurationId ?? ('configurationId' in input ? input.configurationId : '');

function claimNext(statements: Statements, sealer: Sealer, input: ClaimInput): RunRecord | null {
  const row = statements.get(CLAIM).get({
    owner_token: input.ownerToken,
    worker_id: input.workerId,
    lease_expires_at_ms: input.nowMs + LEASE_MS,
    now_ms: input.nowMs,
    is_idle: input.isIdle ? 1 : 0,
  }) as RunRow | undefined;
  if (!row) return null;
  const run = readRun(row);
  const opening = input.tools ? openOr(null, () => readOpening(statements, sealer, run)) : null;
  const receipt = signReceipt(statements, sealer, run, input);
  const change = claimRun(run, input, { opening, receipt, last: lastEvent(statements, run) });
  return applyChange(statements, sealer, run, { ...change, from: 'running' }, input.nowMs);
}

/** Null for a run that goes on from somewhere, or whose segment will end it because a part is missing. Faults: `SealBrokenError`. */
function readOpening(statements: Statements, sealer: Sealer, run: RunRecord): Opening | null {
  if (run.decisionNumber > 0 || !mayStartFromRequest(run) || hasTranscript(statements, run.id)) return null;
  const configuration = loadConfiguration(statements, sealer, run.configurationId);
  const owner = run.initiatorId > 0 ? loadOperator(statements, sealer, run.initiatorId) : null;
  if (!configuration || (run.initiatorId > 0 && !owner?.isEnabled)) return null;
  const request = readRequest(statements, sealer, run.id);
  return request && { configuration, owner, request };
}

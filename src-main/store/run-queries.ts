import { RUN_STATUSES, type RunStatus } from '../../src-shared/vocabulary.ts';
import type { WriteTarget } from '../../src-shared/write-target.ts';
import type { ApprovalTrace } from '../domain/attribution.ts';
import type { RunRecord } from '../domain/run.ts';
import type { Sealer } from '../system/seal.ts';
import { loadRun } from './apply-change.ts';
import { findConfiguration, hasApiKey, listConfigurations, loadConfiguration } from './configuration-store.ts';
import { IS_REMINDER, readEvent, type EventRow } from './event-log.ts';
import { IS_PAUSED, readPause } from './installation-log.ts';
import { loadOperator } from './operator-store.ts';
import type { PeopleStore } from './people-store.ts';
import { previewPurge } from './purge.ts';
import { IS_OWNER_AWAY, IS_SWITCHED_OFF } from './holds.ts';
import { IS_RESTORED } from './restored.ts';
import { readSpend } from './spend.ts';
import { readHealth, readRunCounts } from './health-query.ts';
import { readRun, RUN_COLUMNS, type RunRow } from './run-row.ts';
import type { RunningClaim, RunSelection, RunStore, UncertainWriteEntry } from './run-store.ts';
import { readDecision, readPendingTurn, readReceipt, readRequest, readResult, readTranscript } from './sealed-parts.ts';
import type { Statements } from './statements.ts';

type Queries = Omit<
  RunStore,
  | keyof PeopleStore
  | 'transition'
  | 'transitionPair'
  | 'claim'
  | 'saveConfiguration'
  | 'connectConfiguration'
  | 'configureConfiguration'
  | 'setPause'
  | 'endOffline'
  | 'mendDueTimes'
  | 'recordRepair'
  | 'purge'
  | 'touchWorker'
  | 'forgetWorker'
  | 'dataVersion'
  | 'changesAfter'
  | 'configurationsStamp'
  | 'onCommitted'
  | 'close'
>;

/** Lists, by the question they answer; each has a query-plan test that names its index, whose condition it repeats word for word. */
export const LISTS = {
  waiting: `select ${RUN_COLUMNS} from runs where (status = 'waiting_for_approval' or status = 'waiting_for_input')
    and (:owner is null or initiator_id = :owner) order by waiting_since_ms limit :limit`,
  waitingSince: `select id from runs where (status = 'waiting_for_approval' or status = 'waiting_for_input')
    and waiting_since_ms <= :since and configuration_id = :configuration and not ${IS_RESTORED}
    order by waiting_since_ms limit 100`,
  unreminded: `select id from runs where (status = 'waiting_for_approval' or status = 'waiting_for_input')
    and waiting_since_ms > :after and waiting_since_ms <= :until and configuration_id = :configuration and not ${IS_RESTORED}
    and not exists (select 1 from run_events where run_id = runs.id and ${IS_REMINDER})
    order by waiting_since_ms limit 100`,
  ended: `select ${RUN_COLUMNS} from runs where (status = 'completed' or status = 'failed' or status = 'cancelled')
    and (:owner is null or initiator_id = :owner) order by finished_at_ms desc limit :limit`,
  // Running ones are as few as workers, so they are sorted; by the index of all runs they would be looked for among all.
  running: `select ${RUN_COLUMNS} from runs where status = 'running'
    and (:owner is null or initiator_id = :owner) order by +created_at_ms desc limit :limit`,
  queued: `select ${RUN_COLUMNS} from
    (select key, run_id from run_index indexed by run_index_group where status_group = 'active') as listed
    cross join runs on runs.id = listed.run_id where status = 'queued'
    and (:owner is null or initiator_id = :owner) order by listed.key desc limit :limit`,
  counts: `select status, sum(runs) as runs from run_counts where :owner is null or initiator_id = :owner group by status`,
  claims: `select id as runId, worker_id as workerId, owner_token as ownerToken, lease_expires_at_ms as leaseExpiresAtMs
    from runs where status = 'running' and not ${IS_RESTORED}`,
  nextDue: `select min(max(next_attempt_at_ms, not_before_at_ms)) from runs where status = 'queued' and not ${IS_PAUSED} and not ${IS_RESTORED}
    and not ${IS_SWITCHED_OFF} and not ${IS_OWNER_AWAY}`,
  restored: `select id from runs where status = 'queued' and ${IS_RESTORED}
    union all select id from runs where status = 'running' and ${IS_RESTORED}
    union all select id from runs where (status = 'waiting_for_approval' or status = 'waiting_for_input') and ${IS_RESTORED}`,
  events: `select run_id, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash
    from run_events where run_id = +:run_id and sequence > :after order by sequence limit :limit`,
  approvals: `select run_id, kind, payload from run_events where run_id in (select value from json_each(:run_ids))
    and kind in ('approval', 'approval_bounced', 'approval_withdrawn') order by run_id, sequence`,
  uncertain: `select id, run_id, call_id, tool_name, effect, target, cause, noticed_at_ms
    from uncertain_writes where resolved_at_ms = 0
    and (:owner is null or exists (select 1 from runs where runs.id = run_id and initiator_id = :owner))
    order by noticed_at_ms`,
} as const;

/** How SQLite says "all of them". */
const NO_LIMIT = -1;

/** The read side of the store. Point reads; nothing here holds a read transaction across an await. */
export function createRunQueries(statements: Statements, sealer: Sealer): Queries {
  const list = (sql: string, { ownerId, limit }: RunSelection): RunRecord[] =>
    (statements.get(sql).all({ owner: ownerId, limit }) as RunRow[]).map(readRun);
  return {
    run: async (runId) => loadRun(statements, runId),
    request: async (runId) => readRequest(statements, sealer, runId),
    transcript: async (runId) => readTranscript(statements, sealer, runId),
    async pendingTurn(runId) {
      const run = loadRun(statements, runId);
      return run ? readPendingTurn(statements, sealer, run) : null;
    },
    decision: async (runId, number) => readDecision(statements, sealer, runId, number),
    receipt: async (runId, decisionNumber) => readReceipt(statements, sealer, runId, decisionNumber),
    result: async (runId) => readResult(statements, sealer, runId),
    async events(runId, afterSequence, limit = null) {
      const rows = statements.get(LISTS.events).all({ run_id: runId, after: afterSequence, limit: limit ?? NO_LIMIT });
      return (rows as (EventRow & { hash: string })[]).map(readEvent);
    },
    approvalTraces: async (runIds) => readApprovals(statements, runIds),
    waitingRuns: async (selection = { ownerId: null, limit: 100 }) => list(LISTS.waiting, selection),
    waitingSince: async (configuration, since) =>
      statements.get(LISTS.waitingSince).pluck().all({ configuration, since }) as string[],
    unremindedRuns: async (configuration, after, until) =>
      statements.get(LISTS.unreminded).pluck().all({ configuration, after, until }) as string[],
    spendOfDay: async (configurationId, day) => readSpend(statements, configurationId, day),
    endedRuns: async (selection = { ownerId: null, limit: 20 }) => list(LISTS.ended, selection),
    activeRuns: async (selection = { ownerId: null, limit: 100 }) => [
      ...list(LISTS.running, selection),
      ...list(LISTS.queued, selection),
    ],
    async runningClaims() {
      const claims = statements.get(LISTS.claims).all() as RunningClaim[];
      return claims.toSorted((a, b) => a.leaseExpiresAtMs - b.leaseExpiresAtMs);
    },
    uncertainWrites: async (ownerId = null) =>
      (statements.get(LISTS.uncertain).all({ owner: ownerId }) as UncertainRow[]).map(readUncertain),
    async nextDueAtMs() {
      return (statements.get(LISTS.nextDue).pluck().get() as number | null) ?? null;
    },
    async countByStatus(ownerId = null) {
      const rows = statements.get(LISTS.counts).all({ owner: ownerId }) as { status: RunStatus; runs: number }[];
      const counted = Object.fromEntries(rows.map(({ status, runs }) => [status, runs]));
      return Object.fromEntries(RUN_STATUSES.map((status) => [status, counted[status] ?? 0])) as Record<
        RunStatus,
        number
      >;
    },
    restoredRuns: async () => statements.get(LISTS.restored).pluck().all() as string[],
    previewPurge: async (limits, most, nowMs) => previewPurge(statements, limits, most ?? NO_LIMIT, nowMs),
    pause: async () => readPause(statements),
    health: async (options) => readHealth(statements, options),
    runCounts: async (sinceMs) => readRunCounts(statements, sinceMs),
    operator: async (operatorId) => loadOperator(statements, sealer, operatorId),
    configuration: async (id) => loadConfiguration(statements, sealer, id),
    findConfiguration: async (identifier) => findConfiguration(statements, sealer, identifier),
    configurations: async () => listConfigurations(statements, sealer),
    hasApiKey: async (configurationId) => hasApiKey(statements, configurationId),
  };
}

interface ApprovalRow {
  run_id: string;
  kind: ApprovalTrace['kind'];
  payload: string;
}

function readApprovals(statements: Statements, runIds: string[]): Map<string, ApprovalTrace[]> {
  const traces = new Map<string, ApprovalTrace[]>();
  for (const row of statements.get(LISTS.approvals).all({ run_ids: JSON.stringify(runIds) }) as ApprovalRow[]) {
    const known = traces.get(row.run_id) ?? [];
    traces.set(row.run_id, [...known, { kind: row.kind, payload: payloadOf(row) }]);
  }
  return traces;
}

/** A payload that is no JSON says nothing; that it was changed is for `verify` to say. */
function payloadOf({ payload }: ApprovalRow): unknown {
  try {
    return JSON.parse(payload);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface UncertainRow {
  id: number;
  run_id: string;
  call_id: string;
  tool_name: string;
  effect: UncertainWriteEntry['effect'];
  target: string;
  cause: UncertainWriteEntry['cause'];
  noticed_at_ms: number;
}

function readUncertain(row: UncertainRow): UncertainWriteEntry {
  return {
    id: row.id,
    runId: row.run_id,
    callId: row.call_id,
    toolName: row.tool_name,
    effect: row.effect,
    target: row.target === '' ? null : (JSON.parse(row.target) as WriteTarget),
    cause: row.cause,
    noticedAtMs: row.noticed_at_ms,
  };
}

import { RUN_STATUSES } from '../../src-shared/vocabulary.ts';
import type { Health, RunCounts } from './run-store.ts';
import type { Statements } from './statements.ts';

const number = (condition: string): string => `(select count(*) from runs where ${condition})`;

/** What `status` and dashboards ask, at every age of the installation: each has a query-plan test. */
export const FIGURES = {
  health: `select
    ${number("status = 'queued'")} as queued,
    ${number("status = 'running'")} as running,
    ${number("end_reason <> '' and end_reason in ('not_retryable', 'retries_exhausted')")} as dead_lettered,
    ${number("status = 'running' and lease_expires_at_ms < :now")} as expired_leases,
    (select min(queued_at_ms) from runs where status = 'queued' and queued_at_ms between 1 and :now) as oldest_queued_at_ms,
    ${number("status = 'queued' and not queued_at_ms between 1 and :now")} as unknown_queue_wait,
    (select count(*) from workers
      where (:transport is null or transport = :transport) and last_seen_at_ms between :now - :max_age and :now) as live_workers`,
  byStatus: `select ${RUN_STATUSES.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')}
    from runs where created_at_ms >= :since`,
  byEndReason: `select end_reason, count(*) filter (where created_at_ms >= :since) as runs
    from runs where end_reason <> '' group by end_reason`,
  live: `select
    ${number("status = 'queued'")} as queued,
    ${number("status = 'running'")} as running,
    count(*) filter (where status = 'waiting_for_approval') as waiting_for_approval,
    count(*) filter (where status = 'waiting_for_input') as waiting_for_input
    from runs indexed by runs_waiting where status = 'waiting_for_approval' or status = 'waiting_for_input'`,
} as const;

/** Counts for `status`. A queue time of 0 or in the future is unknown, never "no wait" (R-210, R-211). */
export function readHealth(
  statements: Statements,
  { nowMs, workerMaxAgeMs, transport }: { nowMs: number; workerMaxAgeMs: number; transport: string | null },
): Health {
  const row = statements.get(FIGURES.health).get({ now: nowMs, max_age: workerMaxAgeMs, transport }) as Record<
    string,
    number | null
  >;
  const oldest = row.oldest_queued_at_ms ?? null;
  return {
    queued: row.queued ?? 0,
    running: row.running ?? 0,
    deadLettered: row.dead_lettered ?? 0,
    expiredLeases: row.expired_leases ?? 0,
    oldestQueueWaitSeconds: oldest === null ? null : Math.floor((nowMs - oldest) / 1000),
    unknownQueueWait: row.unknown_queue_wait ?? 0,
    liveWorkers: row.live_workers ?? 0,
  };
}

/** Counts for dashboards, of one moment. */
export function readRunCounts(statements: Statements, sinceMs: number): RunCounts {
  return statements.database.transaction(() => {
    const reasons = statements.get(FIGURES.byEndReason).all({ since: sinceMs }) as {
      end_reason: keyof RunCounts['byEndReason'];
      runs: number;
    }[];
    return {
      byStatus: statements.get(FIGURES.byStatus).get({ since: sinceMs }) as RunCounts['byStatus'],
      byEndReason: Object.fromEntries(
        reasons.filter(({ runs }) => runs > 0).map(({ end_reason, runs }) => [end_reason, runs]),
      ),
      live: statements.get(FIGURES.live).get() as RunCounts['live'],
    };
  })();
}

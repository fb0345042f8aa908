import type { Health } from './run-store.ts';
import type { Statements } from './statements.ts';

/** Counts for `status`. A queue time of 0 or in the future is unknown, never "no wait". */
export function readHealth(
  statements: Statements,
  { nowMs, workerMaxAgeMs, transport }: { nowMs: number; workerMaxAgeMs: number; transport: string | null },
): Health {
  const row = statements
    .get(
      `select
         (select count(*) from runs where status = 'queued') as queued,
         (select count(*) from runs where status = 'running') as running,
         (select count(*) from runs where status = 'failed' and end_reason in ('not_retryable', 'retries_exhausted')) as dead_lettered,
         (select count(*) from runs where status = 'running' and lease_expires_at_ms < :now) as expired_leases,
         (select min(queued_at_ms) from runs where status = 'queued' and queued_at_ms between 1 and :now) as oldest_queued_at_ms,
         (select count(*) from runs where status = 'queued' and not queued_at_ms between 1 and :now) as unknown_queue_wait,
         (select count(*) from workers
            where (:transport is null or transport = :transport) and last_seen_at_ms between :now - :max_age and :now) as live_workers`,
    )
    .get({ now: nowMs, max_age: workerMaxAgeMs, transport }) as Record<string, number | null>;
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

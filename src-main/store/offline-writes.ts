import type { Statements } from './statements.ts';

/** Whether any run waits for an endpoint to come back. */
export function hasOffline(statements: Statements, nowMs: number): boolean {
  const found = statements.get(
    `select exists (select 1 from runs where status = 'queued' and hold = 'offline' and next_attempt_at_ms > ?)`,
  );
  return found.pluck().get(nowMs) === 1;
}

/**
 * Makes the runs due that wait for an endpoint: those of every configuration on the
 * same server as `configurationId`, or all of them (null). The hold stays until a claim
 * takes it off; how long they wait if the server is gone again stays, too. Returns how many.
 */
export function endOffline(statements: Statements, configurationId: string | null, nowMs: number): number {
  return statements
    .get(
      `update runs set next_attempt_at_ms = :now
       where status = 'queued' and hold = 'offline' and next_attempt_at_ms > :now
         and (:id is null or configuration_id in (
           select same.id from configurations as same join configurations as own on own.endpoint = same.endpoint
           where own.id = :id
         ))`,
    )
    .run({ now: nowMs, id: configurationId }).changes;
}

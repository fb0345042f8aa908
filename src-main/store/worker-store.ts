import type { Statements } from './statements.ts';

/** A worker that was killed leaves its row; `status` has not counted it for long when it goes. */
const KEEP_MS = 86_400_000;

/** Records that a worker lives, and forgets those not seen for a day. */
export function touchWorker(
  statements: Statements,
  { id, pid, transport, nowMs }: { id: string; pid: number; transport: string; nowMs: number },
): void {
  statements
    .get(
      `insert into workers (id, pid, transport, started_at_ms, last_seen_at_ms) values (:id, :pid, :transport, :now, :now)
       on conflict (id) do update set last_seen_at_ms = excluded.last_seen_at_ms`,
    )
    .run({ id, pid, transport, now: nowMs });
  statements.get('delete from workers where last_seen_at_ms < ?').run(nowMs - KEEP_MS);
}

export function forgetWorker(statements: Statements, workerId: string): void {
  statements.get('delete from workers where id = ?').run(workerId);
}

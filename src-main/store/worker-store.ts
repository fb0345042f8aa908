import type { Statements } from './statements.ts';

/** Records that a worker lives. */
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
}

export function forgetWorker(statements: Statements, workerId: string): void {
  statements.get('delete from workers where id = ?').run(workerId);
}

import { accepted, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf } from '../domain/actor.ts';
import {
  judgePurge,
  type Purged,
  type PurgeInput,
  type PurgeLimits,
  type PurgePreview,
} from '../domain/retention-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { appendChange, proveRow } from './change-log.ts';
import { appendInstallationEvent } from './installation-log.ts';
import { loadOperator } from './operator-store.ts';
import type { Statements } from './statements.ts';

/**
 * Runs that may go: ended long enough ago, and no write of theirs in doubt, now or lately. Never one that is queued, waits
 * or is carried out, however old it is. The first words are those of the index `runs_ended`.
 */
const GOING = `from runs where (status = 'completed' or status = 'failed' or status = 'cancelled')
  and finished_at_ms < :ended_before and not exists (
    select 1 from uncertain_writes
    where run_id = runs.id and (resolved_at_ms = 0 or resolved_at_ms >= :uncertain_before)
  )`;

/** Every table with rows of a run and the column that makes their weight, children before what they refer to, events first. */
const PARTS = {
  run_events: 'payload',
  transcript_chunks: 'sealed',
  run_requests: 'sealed',
  pending_turns: 'sealed',
  decisions: 'sealed',
  receipts: 'sealed',
  results: 'sealed',
  uncertain_writes: 'sealed',
} as const;

const WEIGHTS = Object.entries(PARTS)
  .map(
    ([table, column]) =>
      `(select coalesce(sum(length(${column})), 0) from ${table} where run_id in (select id from going))`,
  )
  .join(' + ');

export const PURGE_LISTS = {
  next: `select id, status, last_sequence as lastSequence ${GOING} order by finished_at_ms limit :limit`,
  preview: `with going as materialized (select id, finished_at_ms, last_sequence ${GOING} order by finished_at_ms limit :limit)
    select count(*) as runs, coalesce(sum(last_sequence + 1), 0) as events, coalesce(min(finished_at_ms), 0) as oldestMs,
      coalesce(max(finished_at_ms), 0) as newestMs, ${WEIGHTS} as bytes from going`,
  // Without a limit, which a configuration of an older release has not either, the sum is null, which nothing is older than.
  expiring: `select count(*) from runs join configurations on configurations.id = configuration_id
    where (status = 'waiting_for_approval' or status = 'waiting_for_input')
    and waiting_since_ms <= :now - (settings ->> '$.decisionLimitMs')`,
} as const;

/** What a purge would take away, `limit` -1 = of everything. Changes nothing. */
export function previewPurge(statements: Statements, limits: PurgeLimits, limit: number, nowMs: number): PurgePreview {
  const going = statements
    .get(PURGE_LISTS.preview)
    .get({ ended_before: limits.endedBeforeMs, uncertain_before: limits.uncertainBeforeMs, limit }) as Omit<
    PurgePreview,
    'expiring'
  >;
  const expiring = statements.get(PURGE_LISTS.expiring).pluck().get({ now: nowMs }) as number;
  return { ...going, expiring };
}

/**
 * Takes the next runs away inside the caller's transaction, with everything that is theirs. In the log of changes each
 * leaves a mark with the number and the hash of its last event, and after the marks stands who had it done. The triggers
 * that keep the record append-only let go of the runs that `purging` names and of nothing else.
 * Refuses: not_administrator. Faults: `ChainBrokenError` for a run that is not as it was left, which is no run to forget.
 */
export function purgeChunk(
  statements: Statements,
  sealer: Sealer,
  { actor, limits, limit }: PurgeInput,
  nowMs: number,
): Result<Purged> {
  const judged = judgePurge(loadOperator(statements, sealer, operatorIdOf(actor)), actor);
  if (!judged.ok) return judged;
  const rows = statements
    .get(PURGE_LISTS.next)
    .all({ ended_before: limits.endedBeforeMs, uncertain_before: limits.uncertainBeforeMs, limit }) as {
    id: string;
    status: string;
    lastSequence: number;
  }[];
  if (rows.length === 0) return accepted({ runs: 0, events: 0 });
  const marks = rows.map((row) => ({ ...row, lastHash: proveRow(statements, row) }));
  for (const { id } of rows) statements.get('insert into purging (run_id) values (?)').run(id);
  let events = 0;
  for (const table of Object.keys(PARTS)) {
    const { changes } = statements.get(`delete from ${table} where run_id in (select run_id from purging)`).run();
    if (table === 'run_events') events = changes;
  }
  statements.get('delete from runs where id in (select run_id from purging)').run();
  statements.get('delete from purging').run();
  for (const { id, status, lastSequence, lastHash } of marks) {
    appendChange(statements, {
      run_id: id,
      kind: 'purged',
      status,
      last_sequence: lastSequence,
      last_hash: lastHash,
      at_ms: nowMs,
    });
  }
  const done = { runs: rows.length, events };
  appendInstallationEvent(statements, 'purged', { operatorId: judged.value, ...done, ...limits }, nowMs);
  return accepted(done);
}

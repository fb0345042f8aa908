import type { InstallationEventKind } from '../../src-shared/vocabulary.ts';
import { canonicalJson, digest } from '../domain/digest.ts';
import type { JsonObject } from '../domain/json-value.ts';
import { NEVER_PAUSED, type Pause } from '../domain/pause-rules.ts';
import { appendChange } from './change-log.ts';
import { CHAIN_START } from './event-log.ts';
import type { Statements } from './statements.ts';

/** The place of the installation in the log of changes, where runs have their id. */
export const INSTALLATION = '';

/** A stored event of the installation, exactly as hashed. */
export interface InstallationEventRow {
  sequence: number;
  kind: string;
  at_ms: number;
  payload: string;
  previous_hash: string;
}

export function hashInstallationEvent(row: InstallationEventRow): string {
  return digest('event/1:', { run_id: INSTALLATION, ...row });
}

/** Records something that is about no single run, bound to the same chain as everything else. */
export function appendInstallationEvent(
  statements: Statements,
  kind: InstallationEventKind,
  payload: JsonObject,
  nowMs: number,
): void {
  const last = statements.get('select sequence, hash from installation_events order by sequence desc limit 1').get() as
    { sequence: number; hash: string } | undefined;
  const row: InstallationEventRow = {
    sequence: (last?.sequence ?? -1) + 1,
    kind,
    at_ms: nowMs,
    payload: canonicalJson(payload),
    previous_hash: last?.hash ?? CHAIN_START,
  };
  const hash = hashInstallationEvent(row);
  statements
    .get(
      `insert into installation_events (sequence, kind, at_ms, payload, previous_hash, hash)
       values (:sequence, :kind, :at_ms, :payload, :previous_hash, :hash)`,
    )
    .run({ ...row, hash });
  appendChange(statements, {
    run_id: INSTALLATION,
    kind,
    status: '',
    last_sequence: row.sequence,
    last_hash: hash,
    at_ms: nowMs,
  });
}

/**
 * Whether everything is paused: what the log of changes says last. There is no second
 * place that could disagree, and its end is proved at the start of each transaction, so
 * nobody without the key resumes.
 */
export const IS_PAUSED = `coalesce((select kind = 'paused' from changes
  where run_id = '' and kind in ('paused', 'resumed') order by seq desc limit 1), 0)`;

export function isPaused(statements: Statements): boolean {
  return statements.get(`select ${IS_PAUSED}`).pluck().get() === 1;
}

/** The pause with who set it or ended it last. */
export function readPause(statements: Statements): Pause {
  const row = statements
    .get(
      `select changes.kind, changes.at_ms, payload from changes
       join installation_events on sequence = last_sequence and installation_events.hash = last_hash
       where run_id = '' and changes.kind in ('paused', 'resumed') order by seq desc limit 1`,
    )
    .get() as { kind: string; at_ms: number; payload: string } | undefined;
  if (!row) return { ...NEVER_PAUSED, isPaused: isPaused(statements) };
  const { operatorId } = JSON.parse(row.payload) as { operatorId: number };
  return { isPaused: row.kind === 'paused', operatorId, atMs: row.at_ms };
}

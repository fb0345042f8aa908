import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { isAdministrator, operatorIdOf } from '../domain/actor.ts';
import type { RepairInput } from './run-store.ts';
import { judgePause, type Pause, type PauseInput } from '../domain/pause-rules.ts';
import type { Sealer } from '../system/seal.ts';
import { appendInstallationEvent, readPause } from './installation-log.ts';
import { loadOperator } from './operator-store.ts';
import type { Statements } from './statements.ts';

/**
 * Pauses or resumes inside the caller's transaction, judged on the live row of the
 * person. Resuming takes the mark off the runs that were stopped by the pause.
 * Refuses: what `judgePause` refuses.
 */
export function setPause(statements: Statements, sealer: Sealer, input: PauseInput, nowMs: number): Result<Pause> {
  const operatorId = operatorIdOf(input.actor);
  const operator = operatorId > 0 ? loadOperator(statements, sealer, operatorId) : null;
  const judged = judgePause(operator, readPause(statements), input);
  if (!judged.ok) return judged;
  if (judged.value) {
    appendInstallationEvent(statements, judged.value, { operatorId }, nowMs);
    if (judged.value === 'resumed') {
      statements.get(`update runs set hold = '' where status = 'queued' and hold = 'paused'`).run();
    }
  }
  return accepted(readPause(statements));
}

/**
 * Records that an administrator had the installation repaired, and what was done.
 * Refuses: not_administrator.
 */
export function recordRepair(
  statements: Statements,
  sealer: Sealer,
  { actor, repairs }: RepairInput,
  nowMs: number,
): Result<null> {
  const operatorId = operatorIdOf(actor);
  const operator = operatorId > 0 ? loadOperator(statements, sealer, operatorId) : null;
  if (!isAdministrator(operator)) return refused({ kind: 'not_administrator' });
  appendInstallationEvent(statements, 'repaired', { operatorId, ...repairs }, nowMs);
  return accepted(null);
}

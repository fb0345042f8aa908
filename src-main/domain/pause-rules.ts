import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor, type Operator } from './actor.ts';

/** Whether everything is paused, who said so last, and when; 0 = nobody ever did. Epoch milliseconds. */
export interface Pause {
  isPaused: boolean;
  operatorId: number;
  atMs: number;
}

export const NEVER_PAUSED: Pause = { isPaused: false, operatorId: 0, atMs: 0 };

export interface PauseInput {
  actor: Actor;
  isPaused: boolean;
}

/**
 * Pauses or resumes everything: no run is claimed and no write is fenced in any
 * process until somebody resumes. Every person of the installation may pull the brake;
 * an administrator, or who pulled it, may let it go. Null = it is so already.
 * Refuses: operator_unavailable, not_administrator.
 * Source: architecture.md §5a "Pause all".
 */
export function judgePause(
  operator: Operator | null,
  current: Pause,
  input: PauseInput,
): Result<'paused' | 'resumed' | null> {
  const operatorId = operatorIdOf(input.actor);
  if (!operator?.isEnabled || operator.id !== operatorId) return refused({ kind: 'operator_unavailable' });
  if (current.isPaused === input.isPaused) return accepted(null);
  if (!input.isPaused && !operator.isAdmin && current.operatorId !== operatorId) {
    return refused({ kind: 'not_administrator' });
  }
  return accepted(input.isPaused ? 'paused' : 'resumed');
}

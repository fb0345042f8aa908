import type { Scope } from '../../src-shared/vocabulary.ts';
import { operatorIdOf, type Actor, type Operator } from './actor.ts';

/** What the access rule needs to know of a run. */
export interface OwnedRun {
  initiatorId: number;
}

/**
 * Whether an actor may act on a run in the given scope. `operator` is the actor's
 * live row, or null when there is none. Knowing a run's id is never enough;
 * a disabled account may do nothing; an anonymous actor may do nothing, not even
 * on runs that nobody owns.
 * Source: runtime.md §5 "mayAct"; human-decisions.md §10.1.
 */
export function mayActOnRun(actor: Actor, operator: Operator | null, run: OwnedRun, scope: Scope): boolean {
  switch (actor.kind) {
    case 'anonymous':
      return false;
    case 'service':
      return actor.scopes.includes(scope);
    case 'operator':
      if (!operator || operator.id !== actor.operatorId || !operator.isEnabled) return false;
      if (operator.isAdmin) return true;
      if (scope === 'agent:approve' && operator.grants.includes('agent_approve')) return true;
      return isInitiator(actor, run);
  }
}

/** Whether the actor is the person who started the run. Service accounts and runs without a person never match. */
export function isInitiator(actor: Actor, run: OwnedRun): boolean {
  const operatorId = operatorIdOf(actor);
  return operatorId > 0 && operatorId === run.initiatorId;
}

/** Whether a live operator may see every run in lists: a viewport, not the boundary (human-decisions.md §10.5). */
export function seesAllRuns(operator: Operator): boolean {
  return operator.isEnabled && (operator.isAdmin || operator.grants.includes('agent_approve'));
}

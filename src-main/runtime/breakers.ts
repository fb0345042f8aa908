import { afterFailure, CLOSED, isOpen, type BreakerState } from '../domain/breaker-rules.ts';
import { tripsBreaker } from '../domain/failure-rules.ts';
import type { FailureClass } from '../../src-shared/vocabulary.ts';

/** Which servers this worker leaves alone for a while. Each worker finds out for itself; nothing of it is stored. */
export interface Breakers {
  isOpen(endpoint: string): boolean;
  answered(endpoint: string): void;
  failed(endpoint: string, failureClass: FailureClass): void;
}

export function createBreakers(monotonicMs: () => number): Breakers {
  const states = new Map<string, BreakerState>();
  const stateOf = (endpoint: string): BreakerState => states.get(endpoint) ?? CLOSED;
  return {
    isOpen: (endpoint) => isOpen(stateOf(endpoint), monotonicMs()),
    answered: (endpoint) => void states.delete(endpoint),
    failed(endpoint, failureClass) {
      // One that cannot be reached holds its runs itself, and they go on the moment it is back.
      if (tripsBreaker(failureClass) && failureClass !== 'connection')
        states.set(endpoint, afterFailure(stateOf(endpoint), monotonicMs()));
    },
  };
}

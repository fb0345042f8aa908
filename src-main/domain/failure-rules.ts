import type { FailureClass } from '../../src-shared/vocabulary.ts';
import { ModelError } from './model-client.ts';

/** What a class means for the two parts that ask: recovery of a queued run, and the circuit breaker. One row per class. */
const RULES: Record<FailureClass, { isRetryable: boolean; tripsBreaker: boolean }> = {
  connection: { isRetryable: true, tripsBreaker: true },
  rateLimit: { isRetryable: true, tripsBreaker: true },
  serverError: { isRetryable: true, tripsBreaker: true },
  // An open breaker says nothing new about the provider, so it must not keep itself open.
  circuitOpen: { isRetryable: true, tripsBreaker: false },
  auth: { isRetryable: false, tripsBreaker: false },
  configuration: { isRetryable: false, tripsBreaker: false },
  clientError: { isRetryable: false, tripsBreaker: false },
  unknown: { isRetryable: false, tripsBreaker: false },
};

/**
 * The class of an HTTP status a provider refused with. A status that is no error
 * (below 400) or no HTTP status at all is `unknown`: the caller has to say what
 * was wrong with it.
 * Source: runtime.md §1.4.
 */
export function classifyHttpStatus(status: number): FailureClass {
  if (status === 429) return 'rateLimit';
  if (status === 401 || status === 403) return 'auth';
  if (status >= 400 && status <= 499) return 'clientError';
  if (status >= 500 && status <= 599) return 'serverError';
  return 'unknown';
}

/** Whether trying again later, unchanged, can help. Source: runtime.md §1.4. */
export function isRetryable(failureClass: FailureClass): boolean {
  return RULES[failureClass].isRetryable;
}

/** Whether the failure counts against the provider's circuit breaker. Source: runtime.md §1.4. */
export function tripsBreaker(failureClass: FailureClass): boolean {
  return RULES[failureClass].tripsBreaker;
}

/**
 * The one place that decides what kind of failure an error is. A `ModelError`
 * carries its class; everything else is `unknown`, so a bug is never retried.
 * Source: runtime.md §1.4.
 */
export function classifyFailure(error: unknown): FailureClass {
  return error instanceof ModelError ? error.failureClass : 'unknown';
}

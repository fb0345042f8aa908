import type { FailureClass } from '../../src-shared/vocabulary.ts';

const RETRYABLE: readonly FailureClass[] = ['connection', 'rateLimit', 'serverError', 'circuitOpen'];

export const isRetryable = (failureClass: FailureClass): boolean => RETRYABLE.includes(failureClass);

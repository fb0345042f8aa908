import { describe, expect, it } from 'vitest';
import { classifyFailure, classifyHttpStatus, isRetryable, tripsBreaker } from '../../src-main/domain/failure-rules.ts';
import { ModelError } from '../../src-main/domain/model-client.ts';
import { FAILURE_CLASSES } from '../../src-shared/vocabulary.ts';

describe('failure classes', () => {
  it('R-95 takes an unrecognised error as unknown: not retryable, not tripping the breaker', () => {
    const lookalike = Object.assign(new Error('x'), { failureClass: 'connection', name: 'ModelError' });
    for (const error of [new Error('bug'), new TypeError('x'), 'text', undefined, null, 7, lookalike]) {
      const failureClass = classifyFailure(error);
      expect(failureClass).toBe('unknown');
      expect(isRetryable(failureClass)).toBe(false);
      expect(tripsBreaker(failureClass)).toBe(false);
    }
  });

  it('R-97 retries connection, rateLimit, serverError and circuitOpen; only the first three trip the breaker', () => {
    expect(FAILURE_CLASSES.filter(isRetryable)).toEqual(['connection', 'rateLimit', 'serverError', 'circuitOpen']);
    expect(FAILURE_CLASSES.filter(tripsBreaker)).toEqual(['connection', 'rateLimit', 'serverError']);
  });

  it('keeps the class a ModelError was given', () => {
    for (const failureClass of FAILURE_CLASSES) {
      expect(classifyFailure(new ModelError(failureClass, 'Sentence.'))).toBe(failureClass);
    }
  });

  it.each([
    [429, 'rateLimit'],
    [401, 'auth'],
    [403, 'auth'],
    [400, 'clientError'],
    [402, 'clientError'],
    [404, 'clientError'],
    [408, 'clientError'],
    [499, 'clientError'],
    [500, 'serverError'],
    [503, 'serverError'],
    [599, 'serverError'],
    [200, 'unknown'],
    [302, 'unknown'],
    [600, 'unknown'],
    [0, 'unknown'],
    [Number.NaN, 'unknown'],
  ] as const)('takes HTTP %d as %s', (status, expected) => {
    expect(classifyHttpStatus(status)).toBe(expected);
  });
});

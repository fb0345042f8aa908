import { describe, expect, it } from 'vitest';
import { END_REASONS, FAILURE_CLASSES } from '../../src-shared/vocabulary.ts';
import type { RunRecord, UncertainWrite } from '../../src-main/domain/run.ts';
import { completeRun, failSegment, type FailInput } from '../../src-main/domain/settle-rules.ts';
import {
  aCall,
  afterChange,
  answerOf,
  aRunningRun,
  aTurn,
  aWaitingRun,
  changeOf,
  CLAIM_OF_RUN,
  someFacts,
} from '../support/run-builders.ts';

const TURN = aTurn([aCall('make_x', { id: 'c1' })]);
const cancelledRun = aRunningRun({ status: 'cancelled', ownerToken: '', finishedAtMs: 5_000 });
const ENDED_PARTS = { request: null, pendingTurn: null, transcript: null };
const NOT_OWNED = [
  ['R-91', 'another owner holds it', aRunningRun({ ownerToken: 'token-2', attempt: 2 }), 'lease_lost'],
  ['X-6', 'it was cancelled', cancelledRun, 'run_cancelled'],
  ['R-12', 'it completed already', aRunningRun({ status: 'completed', ownerToken: '' }), 'lease_lost'],
  ['T-05', 'it waits for a person', aWaitingRun(), 'lease_lost'],
  ['R-91', 'it is gone', null, 'lease_lost'],
] as const;

const complete = (
  run: RunRecord | null,
  reason: 'completed' | 'max_iterations' | 'budget_exhausted' | 'context_truncated',
) => completeRun(someFacts({ run }), { ...CLAIM_OF_RUN, reason, answer: 'Done.' });

function failure(changes: Partial<FailInput> = {}): FailInput {
  return {
    ...CLAIM_OF_RUN,
    failureClass: 'serverError',
    reason: 'provider_failed',
    errorClass: 'ModelError',
    sentence: 'The model did not answer.',
    uncertainWrite: null,
    ...changes,
  };
}
const fail = (run: RunRecord | null, changes: Partial<FailInput> = {}) =>
  failSegment(someFacts({ run, pendingTurn: TURN }), failure(changes));
const failed = (run: RunRecord, changes: Partial<FailInput> = {}) => changeOf(fail(run, changes));

describe('completing a run', () => {
  it('R-28 empties request, turn, transcript, claim and lease, and keeps the totals', () => {
    const run = aRunningRun({
      rounds: 2,
      inputTokens: 10,
      outputTokens: 20,
      costMicros: 50,
      turnDigest: 'd',
      previewRevision: 3,
    });
    const change = changeOf(complete(run, 'completed'));
    expect(change).toMatchObject({
      kind: 'ended',
      from: 'running',
      ...ENDED_PARTS,
      result: { v: 1, answer: 'Done.', failure: '' },
    });
    expect(afterChange(run, change)).toMatchObject({
      status: 'completed',
      endReason: 'completed',
      isTruncated: false,
      ownerToken: '',
      leaseExpiresAtMs: 0,
      turnDigest: '',
      previewRevision: 3,
      rounds: 2,
      inputTokens: 10,
      outputTokens: 20,
      costMicros: 50,
      finishedAtMs: 10_000,
    });
    expect(change.events).toMatchObject([{ kind: 'finished', payload: { status: 'completed', reason: 'completed' } }]);
  });

  it.each(['max_iterations', 'budget_exhausted', 'context_truncated'] as const)(
    'R-9 marks %s as truncated, without an error',
    (reason) => {
      const change = changeOf(complete(aRunningRun(), reason));
      expect(afterChange(aRunningRun(), change)).toMatchObject({
        status: 'completed',
        isTruncated: true,
        endReason: reason,
        errorClass: '',
      });
      expect(change.result).toEqual({ v: 1, answer: 'Done.', failure: '' });
    },
  );

  it.each(NOT_OWNED)('%s is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(complete(run, 'completed'))).toBe(expected);
  });

  it.each([
    ['is in flight', { fenceEffect: 'non_idempotent_write', fenceCallId: 'c1' }, 'non_idempotent_write'],
    ['was never examined', { recoverCallId: 'c1' }, 'idempotent_write'],
  ] as const)('X-2 lists a write that %s, whatever the answer says', (_name, columns, effect) => {
    const facts = someFacts({ run: aRunningRun(columns), pendingTurn: TURN });
    const change = changeOf(completeRun(facts, { ...CLAIM_OF_RUN, reason: 'completed', answer: 'Done.' }));
    expect(change.uncertainWrite).toMatchObject({ callId: 'c1', toolName: 'make_x', effect, cause: 'interrupted' });
    expect(change.events.map(({ kind }) => kind)).toEqual(['uncertain_write', 'finished']);
  });
});

describe('a failed segment', () => {
  it.each([
    ['R-98', 'serverError', 'queued'],
    ['R-98', 'rateLimit', 'queued'],
    ['R-97', 'circuitOpen', 'queued'],
    ['R-98', 'connection', 'queued'],
    ['R-97', 'auth', 'failed'],
    ['R-97', 'configuration', 'failed'],
    ['R-97', 'clientError', 'failed'],
    ['R-95', 'unknown', 'failed'],
  ] as const)('%s of class %s leaves a queued run %s', (_id, failureClass, status) => {
    expect(failed(aRunningRun(), { failureClass }).set.status).toBe(status);
  });

  it.each(FAILURE_CLASSES)('R-106 of class %s ends an interactive run at once', (failureClass) => {
    expect(failed(aRunningRun({ mode: 'interactive' }), { failureClass }).set).toMatchObject({
      status: 'failed',
      endReason: 'provider_failed',
    });
  });

  it('R-4 keeps the type of the error and our sentence', () => {
    const change = failed(aRunningRun(), { failureClass: 'auth' });
    expect(change).toMatchObject({
      ...ENDED_PARTS,
      result: { v: 1, answer: '', failure: 'The model did not answer.' },
    });
    expect(change.set.errorClass).toBe('ModelError');
    expect(JSON.stringify(change.events)).not.toContain('did not answer');
  });

  it.each([
    ['R-100', 'provider_failed', 'not_retryable'],
    ['R-198', 'audit_failed', 'audit_failed'],
    ['R-29', 'request_unreadable', 'request_unreadable'],
    ['R-30', 'configuration_gone', 'configuration_gone'],
  ] as const)('%s with reason %s and a class that retrying cannot fix ends with %s', (_id, reason, endReason) => {
    expect(failed(aRunningRun(), { failureClass: 'unknown', reason }).set).toMatchObject({
      status: 'failed',
      endReason,
    });
  });

  it.each(END_REASONS)('R-18 with reason %s is tried again only where the failure itself may pass', (reason) => {
    expect(failed(aRunningRun(), { failureClass: 'unknown', reason }).set.status).toBe('failed');
    expect(failed(aRunningRun(), { failureClass: 'storage', reason }).set.status).toBe('queued');
  });

  it('R-198 keeps its reason for a write that must not be repeated, too', () => {
    const fenced = aRunningRun({ fenceEffect: 'non_idempotent_write', fenceCallId: 'c1' });
    expect(failed(fenced, { failureClass: 'unknown', reason: 'audit_failed' }).set.endReason).toBe('audit_failed');
  });

  it.each([
    [0, 30_000],
    [1, 60_000],
    [2, 120_000],
  ])('R-99 is requeued after %i earlier requeues with its wait', (requeueCount, delayMs) => {
    const run = aRunningRun({ requeueCount, decisionNumber: 0 });
    const change = failed(run);
    expect(change.wakes).toBe(true);
    expect(change.request).toBeUndefined();
    expect(afterChange(run, change)).toMatchObject({
      status: 'queued',
      segment: 'retry',
      requeueCount: requeueCount + 1,
      nextAttemptAtMs: 10_000 + delayMs,
      queuedAtMs: 10_000,
      ownerToken: '',
      leaseExpiresAtMs: 0,
      fenceEffect: '',
      hold: '',
    });
    expect(change.events).toMatchObject([
      { kind: 'requeued', payload: { cause: 'serverError', counted: true, delayMs } },
    ]);
  });

  it.each([
    [5_000, 30_000],
    [90_000, 90_000],
    [86_400_000, 600_000],
  ])('R-98 waits longer when the provider asks for %i ms, within reason', (retryAfterMs, delayMs) => {
    const change = failed(aRunningRun(), { failureClass: 'rateLimit', retryAfterMs });
    expect(change.set.nextAttemptAtMs).toBe(10_000 + delayMs);
  });

  it('R-110 ends with retries_exhausted when the budget is spent', () => {
    expect(failed(aRunningRun({ requeueCount: 3 })).set).toMatchObject({
      status: 'failed',
      endReason: 'retries_exhausted',
    });
  });

  it('X-17 of a resume continues as a resume while its turn is unfinished', () => {
    expect(failed(aRunningRun({ segment: 'resume', decisionNumber: 1 })).set.segment).toBe('resume');
    expect(failed(aRunningRun({ segment: 'resume', decisionNumber: 0 })).set.segment).toBe('retry');
  });

  it.each(NOT_OWNED)('R-103 (%s) is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(fail(run))).toBe(expected);
  });
});

describe('an unreachable endpoint', () => {
  it.each([
    [0, 5_000],
    [5_000, 10_000],
    [600_000, 600_000],
  ])('holds the run uncounted, after %i ms for %i ms', (offlineDelayMs, delayMs) => {
    const run = aRunningRun({ offlineDelayMs, requeueCount: 3 });
    const change = failed(run, { failureClass: 'connection' });
    expect(afterChange(run, change)).toMatchObject({
      status: 'queued',
      hold: 'offline',
      requeueCount: 3,
      offlineDelayMs: delayMs,
      nextAttemptAtMs: 10_000 + delayMs,
      segment: 'retry',
    });
    expect(change.events).toMatchObject([
      { kind: 'requeued', payload: { cause: 'connection', counted: false, hold: 'offline', delayMs } },
    ]);
  });
});

describe('a segment that fails with a write in flight', () => {
  const fenced = (effect: RunRecord['fenceEffect'], changes: Partial<RunRecord> = {}) =>
    aRunningRun({ fenceEffect: effect, fenceCallId: 'c1', phase: 'tools', decisionNumber: 1, ...changes });
  const known: UncertainWrite = {
    callId: 'c1',
    toolName: 'make_x',
    effect: 'non_idempotent_write',
    target: null,
    cause: 'footprint_unknown',
    detail: { call: aCall('make_x', { id: 'c1' }), preview: null },
  };

  it.each(['serverError', 'connection'] as const)(
    'R-102 ends and lists a non-idempotent write, whatever the budget (%s)',
    (failureClass) => {
      const change = failed(fenced('non_idempotent_write'), { failureClass });
      expect(change.set).toMatchObject({ status: 'failed', endReason: 'not_retryable' });
      expect(change.uncertainWrite).toMatchObject({
        callId: 'c1',
        toolName: 'make_x',
        cause: 'interrupted',
        target: TURN.previews[0]?.target,
      });
      expect(change.events.map((event) => event.kind)).toEqual(['uncertain_write', 'finished']);
    },
  );

  it('R-105 is requeued without the fence for an idempotent one, which is examined first', () => {
    const run = fenced('idempotent_write');
    for (const failureClass of ['serverError', 'connection'] as const) {
      const change = failed(run, { failureClass });
      expect(afterChange(run, change)).toMatchObject({
        status: 'queued',
        fenceEffect: '',
        fenceCallId: '',
        recoverCallId: 'c1',
      });
      expect(change.uncertainWrite).toBeUndefined();
    }
  });

  it.each([
    ['its budget is spent', fenced('idempotent_write', { requeueCount: 3 }), {}],
    ['retrying cannot help', fenced('idempotent_write'), { failureClass: 'unknown' as const }],
    ['it is interactive', fenced('idempotent_write', { mode: 'interactive' }), {}],
    [
      'the write of an earlier segment was never examined',
      aRunningRun({ recoverCallId: 'c1' }),
      { failureClass: 'unknown' as const },
    ],
  ])('X-2 lists an idempotent write when the run ends because %s', (_name, run, changes) => {
    const change = failed(run, changes);
    expect(change.set.status).toBe('failed');
    expect(change.uncertainWrite).toMatchObject({ callId: 'c1', effect: 'idempotent_write', cause: 'interrupted' });
  });

  it('X-2 lists what the segment itself knows of the write, once', () => {
    const change = failed(fenced('non_idempotent_write'), { uncertainWrite: known, reason: 'interrupted_resume' });
    expect(change.set.endReason).toBe('interrupted_resume');
    expect(change.uncertainWrite).toEqual(known);
    expect(change.events.filter((event) => event.kind === 'uncertain_write')).toHaveLength(1);
  });

  it('X-2 puts identity and no values of the write into the event', () => {
    const change = failed(fenced('non_idempotent_write'));
    expect(change.events[0]?.payload).toEqual({
      toolCallId: 'c1',
      toolName: 'make_x',
      effect: 'non_idempotent_write',
      cause: 'interrupted',
      target: TURN.previews[0]?.target,
    });
  });

  it('X-2 lists nothing when nothing was in flight', () => {
    expect(failed(aRunningRun(), { failureClass: 'auth' }).uncertainWrite).toBeUndefined();
  });
});

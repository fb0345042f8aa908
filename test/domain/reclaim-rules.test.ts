import { describe, expect, it } from 'vitest';
import { reclaimRun, type ReclaimInput } from '../../src-main/domain/reclaim-rules.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import {
  aCall,
  afterChange,
  answerOf,
  aRun,
  aRunningRun,
  aTurn,
  aWaitingRun,
  changeOf,
  someFacts,
} from '../support/run-builders.ts';

const TURN = aTurn([aCall('set_x', { id: 'c1' })]);
const NOW = 1_000_000;
const reclaim = (run: RunRecord | null, cause: ReclaimInput['cause'] = 'worker_died', changes: Partial<Facts> = {}) =>
  reclaimRun(someFacts({ run, nowMs: NOW, pendingTurn: TURN, ...changes }), { ownerToken: 'token-1', cause });
const reclaimed = (run: RunRecord, cause?: ReclaimInput['cause']) => afterChange(run, changeOf(reclaim(run, cause)));
const inTool = (changes: Partial<RunRecord> = {}) => aRunningRun({ phase: 'tools', ...changes });
const fenced = (fenceEffect: RunRecord['fenceEffect'], changes: Partial<RunRecord> = {}) =>
  inTool({ segment: 'resume', decisionNumber: 1, fenceEffect, fenceCallId: 'c1', pendingTool: 'set_x', ...changes });

describe('which runs are reclaimed', () => {
  it.each([
    ['R-118', 'an expired lease', aRunningRun({ leaseExpiresAtMs: NOW - 1 }), 'lease_over', 'accepted'],
    ['R-120', 'a lease that ends right now', aRunningRun({ leaseExpiresAtMs: NOW }), 'lease_over', 'lease_lost'],
    ['R-119', 'a fresh lease', aRunningRun({ leaseExpiresAtMs: NOW + 1 }), 'lease_over', 'lease_lost'],
    ['R-118', 'a row without lease', aRunningRun({ leaseExpiresAtMs: 0 }), 'lease_over', 'lease_lost'],
    [
      'X-21',
      'a fresh lease of a worker proven dead',
      aRunningRun({ leaseExpiresAtMs: NOW + 1 }),
      'worker_died',
      'accepted',
    ],
    ['R-109', 'the claim of another', aRunningRun({ ownerToken: 'token-2' }), 'worker_died', 'lease_lost'],
    ['R-118', 'a queued run', aRun({ ownerToken: 'token-1' }), 'worker_died', 'lease_lost'],
    ['T-09', 'a waiting run', aWaitingRun({ ownerToken: 'token-1' }), 'worker_died', 'lease_lost'],
    ['R-118', 'an ended run', aRunningRun({ status: 'failed' }), 'worker_died', 'lease_lost'],
    ['R-118', 'no run', null, 'worker_died', 'lease_lost'],
  ] as const)('%s answers for %s', (_id, _name, run, cause, expected) => {
    expect(answerOf(reclaim(run, cause))).toBe(expected);
  });
});

/** What a death costs, by where it happened. */
describe('the kill table', () => {
  const REQUEUED: [id: string, where: string, run: RunRecord, after: Partial<RunRecord>][] = [
    [
      'R-109',
      'before anything happened',
      aRunningRun(),
      { segment: 'start', requeueCount: 0, runsAlone: false, nextAttemptAtMs: NOW },
    ],
    [
      'X-14',
      'while asking the model',
      aRunningRun({ rounds: 2 }),
      { segment: 'retry', requeueCount: 0, runsAlone: false, nextAttemptAtMs: NOW },
    ],
    [
      'X-14',
      'while asking the model, budget spent',
      aRunningRun({ rounds: 2, requeueCount: 3 }),
      { requeueCount: 3, nextAttemptAtMs: NOW },
    ],
    [
      'T-10',
      'between the decision and its first call',
      aRunningRun({ segment: 'resume', decisionNumber: 1 }),
      { segment: 'resume', decisionNumber: 1, requeueCount: 0 },
    ],
    [
      'R-109',
      'in its own tool',
      inTool({ rounds: 1 }),
      { segment: 'retry', requeueCount: 1, runsAlone: true, nextAttemptAtMs: NOW + 30_000 },
    ],
    [
      'X-14',
      'in its own tool again',
      inTool({ requeueCount: 1, runsAlone: true }),
      { requeueCount: 2, runsAlone: true, nextAttemptAtMs: NOW + 60_000 },
    ],
    [
      'X-14',
      'in its own tool a third time',
      inTool({ requeueCount: 2, runsAlone: true }),
      { requeueCount: 3, nextAttemptAtMs: NOW + 120_000 },
    ],
    [
      'R-112',
      'in an idempotent write',
      fenced('idempotent_write'),
      { segment: 'resume', decisionNumber: 1, recoverCallId: 'c1', requeueCount: 1 },
    ],
    [
      'X-17',
      'while examining such a write',
      aRunningRun({ segment: 'resume', decisionNumber: 1, recoverCallId: 'c1' }),
      { recoverCallId: 'c1', decisionNumber: 1 },
    ],
    [
      'R-113',
      'of an interactive run, whose request is stored here',
      aRunningRun({ mode: 'interactive' }),
      { mode: 'interactive' },
    ],
  ];
  it.each(REQUEUED)('%s requeues a run whose worker died %s', (_id, _where, run, after) => {
    expect(reclaimed(run)).toMatchObject({
      status: 'queued',
      ownerToken: '',
      workerId: '',
      leaseExpiresAtMs: 0,
      phase: '',
      fenceEffect: '',
      fenceCallId: '',
      queuedAtMs: NOW,
      attempt: run.attempt,
      ...after,
    });
    const change = changeOf(reclaim(run));
    expect(change.wakes).toBe(true);
    expect(change).not.toHaveProperty('request');
    expect(change).not.toHaveProperty('pendingTurn');
    expect(change.uncertainWrite).toBeUndefined();
  });

  const ENDED: [id: string, where: string, run: RunRecord, reason: string, callId: string | undefined][] = [
    ['R-111', 'in a non-idempotent write', fenced('non_idempotent_write'), 'not_retryable', 'c1'],
    [
      'R-114',
      'in a non-idempotent write, budget spent',
      fenced('non_idempotent_write', { requeueCount: 3 }),
      'not_retryable',
      'c1',
    ],
    [
      'H-167',
      'in a non-idempotent write outside any tool phase',
      fenced('non_idempotent_write', { phase: 'model' }),
      'not_retryable',
      'c1',
    ],
    ['R-110', 'in its own tool, budget spent', inTool({ requeueCount: 3 }), 'retries_exhausted', undefined],
    [
      'R-110',
      'in an idempotent write, budget spent',
      fenced('idempotent_write', { requeueCount: 3 }),
      'retries_exhausted',
      'c1',
    ],
    [
      'R-110',
      'examining a write, budget spent',
      inTool({ requeueCount: 3, recoverCallId: 'c1' }),
      'retries_exhausted',
      'c1',
    ],
  ];
  it.each(ENDED)('%s ends a run whose worker died %s', (_id, _where, run, endReason, callId) => {
    const change = changeOf(reclaim(run));
    expect(afterChange(run, change)).toMatchObject({
      status: 'failed',
      endReason,
      errorClass: '',
      ownerToken: '',
      leaseExpiresAtMs: 0,
      fenceEffect: '',
      recoverCallId: '',
      decisionNumber: 0,
      finishedAtMs: NOW,
    });
    expect(change).toMatchObject({ request: null, pendingTurn: null, transcript: null, result: { v: 1, answer: '' } });
    expect(change.uncertainWrite?.callId).toBe(callId);
    expect(change.events.map((event) => event.kind)).toEqual(callId ? ['uncertain_write', 'finished'] : ['finished']);
  });

  it('X-14 names the cause and whether it counted', () => {
    const expired = inTool({ leaseExpiresAtMs: NOW - 1, fenceEffect: 'idempotent_write', fenceCallId: 'c1' });
    expect(changeOf(reclaim(expired, 'lease_over')).events).toEqual([
      {
        kind: 'reclaimed',
        round: 0,
        durationMs: 0,
        payload: { cause: 'lease_over', counted: true, delayMs: 30_000, fencedWrite: 'idempotent_write' },
      },
    ]);
  });
});

describe('the entry of an interrupted write', () => {
  const run = fenced('non_idempotent_write');

  it('X-2 says what was to happen, from the stored turn', () => {
    expect(changeOf(reclaim(run)).uncertainWrite).toEqual({
      callId: 'c1',
      toolName: 'set_x',
      effect: 'non_idempotent_write',
      target: TURN.previews[0]?.target,
      cause: 'interrupted',
      detail: { call: TURN.calls[0], preview: TURN.previews[0] },
    });
  });

  it.each(['unreadable', null, aTurn([aCall('read_x')])] as const)(
    'X-15 stands although the turn does not name it (%j)',
    (pendingTurn) => {
      const { uncertainWrite } = changeOf(reclaim(run, 'worker_died', { pendingTurn }));
      expect(uncertainWrite).toMatchObject({
        callId: 'c1',
        toolName: 'set_x',
        target: null,
        detail: { preview: null },
      });
    },
  );
});

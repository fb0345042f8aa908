import { describe, expect, it } from 'vitest';
import { claimRun } from '../../src-main/domain/claim-rules.ts';
import { LEASE_MS } from '../../src-main/domain/limits.ts';
import { ownershipOf } from '../../src-main/domain/ownership-rules.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import {
  recordOrphanWrite,
  recordStep,
  releaseClaim,
  renewLease,
  stampFence,
  type RecordStepInput,
} from '../../src-main/domain/segment-rules.ts';
import {
  aCall,
  afterChange,
  answerOf,
  aRun,
  aRunningRun,
  aWaitingRun,
  changeOf,
  CLAIM_OF_RUN,
  someFacts,
  aConfiguration,
  PEOPLE,
  TOOL_LIST,
} from '../support/run-builders.ts';

const cancelled = (changes: Partial<RunRecord> = {}) =>
  aRunningRun({
    status: 'cancelled',
    ownerToken: '',
    workerId: '',
    leaseExpiresAtMs: 0,
    finishedAtMs: 5_000,
    ...changes,
  });

function step(changes: Partial<RecordStepInput> = {}): RecordStepInput {
  return {
    ...CLAIM_OF_RUN,
    events: [{ kind: 'llm', round: 1, durationMs: 12.5, payload: {} }],
    messages: [],
    usage: null,
    rounds: 0,
    phase: 'model',
    fencedCallId: '',
    isEffectDone: false,
    endsTurn: false,
    ...changes,
  };
}
const recorded = (run: RunRecord, changes: Partial<RecordStepInput> = {}) =>
  changeOf(recordStep(someFacts({ run }), step(changes)));

const STRANGERS: [id: string, name: string, run: RunRecord | null, expected: string][] = [
  ['R-81', 'another owner holds the run', aRunningRun({ ownerToken: 'token-2', attempt: 2 }), 'lease_lost'],
  ['X-20', 'another segment of the same process holds it', aRunningRun({ ownerToken: 'token-2' }), 'lease_lost'],
  ['R-109', 'it was reclaimed and is queued', aRun({ attempt: 1 }), 'lease_lost'],
  ['R-91', 'it waits', aWaitingRun(), 'lease_lost'],
  ['R-12', 'it completed', aRunningRun({ status: 'completed', ownerToken: '' }), 'lease_lost'],
  ['X-6', 'another segment was cancelled', cancelled({ attempt: 2 }), 'lease_lost'],
  ['R-81', 'it is gone', null, 'lease_lost'],
];

describe('ownership', () => {
  it.each([
    ['R-81', 'its holder', aRunningRun(), 'owned'],
    ['X-6', 'the segment whose run was cancelled', cancelled(), 'cancelled'],
    ['X-6', 'an earlier segment of a cancelled run', cancelled({ attempt: 2 }), 'lost'],
    ['X-20', 'the same attempt with another token', aRunningRun({ ownerToken: 'token-2' }), 'lost'],
    ['R-81', 'a token left on a row that waits', aRunningRun({ status: 'waiting_for_approval' }), 'lost'],
    ['R-81', 'an empty token on a row without owner', aRunningRun({ status: 'running', ownerToken: '' }), 'lost'],
  ] as const)('%s is told for %s', (_id, _name, run, expected) => {
    expect(ownershipOf(run, CLAIM_OF_RUN)).toBe(expected);
    expect(ownershipOf({ ...run, ownerToken: '' }, { ownerToken: '', attempt: 99 })).toBe('lost');
  });
});

describe('a claim', () => {
  const claim = { workerId: 'worker-2', ownerToken: 'token-2', nowMs: 20_000, isIdle: true };
  const NOTHING_BESIDE = { opening: null, receipt: null, last: null };

  it.each([
    ['queued', { configuration: 'sample' }, 'queued'],
    ['approval', { approved: true }, 'approval'],
    ['requeued', { cause: 'rateLimit', counted: true }, 'rateLimit'],
    ['reclaimed', { cause: 'worker_died', counted: false }, 'worker_died'],
  ] as const)('X-14 names what put it into the queue: after %s %j it is %s', (kind, payload, cause) => {
    const { events } = claimRun(aRun(), claim, { ...NOTHING_BESIDE, last: { kind, payload } });
    expect(events[0]?.payload).toEqual({ segment: 'start', cause, requeueCount: 0 });
  });

  it('R-27 takes the row with lease, token, a new attempt and the start time', () => {
    const change = claimRun(aRun({ hold: 'offline', requeueCount: 1, attempt: 1 }), claim, NOTHING_BESIDE);
    expect(change).toMatchObject({
      kind: 'claimed',
      from: 'queued',
      set: {
        status: 'running',
        ownerToken: 'token-2',
        workerId: 'worker-2',
        leaseExpiresAtMs: 20_000 + LEASE_MS,
        attempt: 2,
        phase: 'model',
        hold: '',
        startedAtMs: 20_000,
      },
      events: [{ kind: 'attempt', payload: { segment: 'start', requeueCount: 1 } }],
    });
  });

  it.each(['start', 'retry', 'resume'] as const)('R-34 keeps queue time and segment %s', (segment) => {
    const { set } = claimRun(aRun({ segment }), claim, NOTHING_BESIDE);
    expect(set).not.toHaveProperty('queuedAtMs');
    expect(set).not.toHaveProperty('segment');
  });

  it('R-7 stores with it what a run that begins at its request asks its model, when it knows the tools', () => {
    const request = {
      v: 1,
      messages: [{ role: 'user', content: 'Look' }],
      allowedToolNames: null,
      temperature: null,
      maxOutputTokens: null,
    } as const;
    const configuration = aConfiguration({ systemPrompt: 'Be brief.', privacy: 'full', disabledTools: ['set_x'] });
    const opening = { configuration, owner: PEOPLE.owner, request: { ...request, messages: [...request.messages] } };
    const { events } = claimRun(aRun(), { ...claim, tools: TOOL_LIST }, { ...NOTHING_BESIDE, opening });
    expect(events.map(({ kind }) => kind)).toEqual(['attempt', 'request']);
    expect(events[1]).toMatchObject({
      round: 1,
      payload: {
        messagesSent: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Look' },
        ],
        toolSpecs: ['read_x', 'mark_x', 'make_x', 'ask_x', 'files_x'],
      },
    });
    const damaged = { ...opening, configuration: aConfiguration({ systemPrompt: 'a\ud800b', privacy: 'full' }) };
    expect(
      claimRun(aRun(), { ...claim, tools: TOOL_LIST }, { ...NOTHING_BESIDE, opening: damaged }).events,
    ).toHaveLength(1);
    expect(claimRun(aRun(), claim, { ...NOTHING_BESIDE, opening }).events).toHaveLength(1);
    expect(claimRun(aRun(), { ...claim, tools: TOOL_LIST }, NOTHING_BESIDE).events).toHaveLength(1);
  });

  it('X-17 keeps the start time and the decision of a resume', () => {
    const { set } = claimRun(aRun({ segment: 'resume', startedAtMs: 2_000, decisionNumber: 1 }), claim, NOTHING_BESIDE);
    expect(set.startedAtMs).toBe(2_000);
    expect(set).not.toHaveProperty('decisionNumber');
  });
});

describe('a step', () => {
  it('R-78 stores events, transcript and one renewal together', () => {
    const messages = [{ role: 'assistant' as const, content: 'Hello' }];
    const change = recorded(aRunningRun(), { messages });
    expect(change).toMatchObject({ kind: 'step', from: 'running', transcript: messages });
    expect(change.events).toHaveLength(1);
    expect(change.set.leaseExpiresAtMs).toBe(10_000 + LEASE_MS);
    expect(change.isSilent).toBeUndefined();
  });

  it('R-78 adds no empty chunk to the transcript', () => {
    expect(recorded(aRunningRun()).transcript).toBeUndefined();
  });

  it.each([
    ['X-5', 'adds rounds and tokens up', { inputTokens: 3, outputTokens: 2, costMicros: 40 }, [2, 13, 7, 140, 0]],
    [
      'D-04 and X-5',
      'keeps what is known of the cost when the provider names none, and counts the answer as one without',
      { inputTokens: 3, outputTokens: 2, costMicros: null },
      [2, 13, 7, 100, 1],
    ],
    ['X-5', 'counts a round without usage', null, [2, 10, 5, 100, 0]],
  ])('%s %s', (_id, _name, usage, totals) => {
    const run = aRunningRun({ rounds: 1, inputTokens: 10, outputTokens: 5, costMicros: 100 });
    const after = afterChange(run, recorded(run, { usage, rounds: 1 }));
    expect([after.rounds, after.inputTokens, after.outputTokens, after.costMicros, after.unpricedAnswers]).toEqual(
      totals,
    );
  });

  it('D-04 counts an answer without a cost of a cancelled run, too', () => {
    const run = cancelled({ costMicros: 100, unpricedAnswers: 2 });
    const usage = { inputTokens: 1, outputTokens: 1, costMicros: null };
    expect(afterChange(run, recorded(run, { usage }))).toMatchObject({ costMicros: 100, unpricedAnswers: 3 });
  });

  it('X-5 tells an unknown cost from a free one', () => {
    const unknown = aRunningRun();
    const usage = { inputTokens: 1, outputTokens: 1 };
    expect(afterChange(unknown, recorded(unknown, { usage: { ...usage, costMicros: null } })).costMicros).toBeNull();
    expect(afterChange(unknown, recorded(unknown, { usage: { ...usage, costMicros: 0 } })).costMicros).toBe(0);
  });

  it('X-2 clears fence and recovery mark in the change that stores the write', () => {
    const run = aRunningRun({
      fenceEffect: 'idempotent_write',
      fenceCallId: 'c1',
      recoverCallId: 'c1',
      phase: 'tools',
    });
    expect(recorded(run, { fencedCallId: 'c1' }).set).toMatchObject({
      fenceEffect: '',
      fenceCallId: '',
      recoverCallId: '',
    });
    const without = recorded(run).set;
    expect(without).not.toHaveProperty('fenceEffect');
    expect(without).not.toHaveProperty('recoverCallId');
  });

  it('X-17 ends the turn and its decision with the last call', () => {
    const run = aRunningRun({
      decisionNumber: 1,
      turnDigest: 'd',
      pendingTool: 'set_x',
      bounceCount: 2,
      previewRevision: 3,
    });
    const change = recorded(run, { endsTurn: true });
    expect(change.pendingTurn).toBeNull();
    expect(afterChange(run, change)).toMatchObject({
      decisionNumber: 0,
      turnDigest: '',
      pendingTool: '',
      bounceCount: 0,
      previewRevision: 3,
    });
    expect(recorded(run).pendingTurn).toBeUndefined();
  });

  it('R-98 forgets the offline wait after an answer and only then', () => {
    const run = aRunningRun({ offlineDelayMs: 40_000 });
    expect(recorded(run, { usage: { inputTokens: 1, outputTokens: 1, costMicros: null } }).set.offlineDelayMs).toBe(0);
    expect(recorded(run).set).not.toHaveProperty('offlineDelayMs');
  });

  it('R-40 is stored on a run cancelled meanwhile, and changes nothing but totals', () => {
    const run = cancelled({ rounds: 1 });
    const change = recorded(run, { rounds: 1, messages: [{ role: 'assistant', content: 'late' }], endsTurn: true });
    expect(change).toMatchObject({ from: 'cancelled', events: [{ kind: 'llm' }] });
    expect(change.set).toEqual({ rounds: 2 });
    expect(change.transcript).toBeUndefined();
    expect(change.pendingTurn).toBeUndefined();
    expect(change.resolvesUncertainWrite).toBeUndefined();
  });

  it('R-40 takes a write that was in flight at the cancel off the uncertain list', () => {
    expect(recorded(cancelled(), { fencedCallId: 'c1' }).resolvesUncertainWrite).toEqual({
      callId: 'c1',
      resolution: 'recorded_late',
    });
  });

  it.each(STRANGERS)('%s is not stored when %s', (_id, _name, run, expected) => {
    expect(answerOf(recordStep(someFacts({ run }), step()))).toBe(expected);
  });
});

describe('a renewal', () => {
  it('R-81 moves the lease and nothing else, without a trace in the logs', () => {
    expect(changeOf(renewLease(someFacts({ run: aRunningRun() }), CLAIM_OF_RUN))).toEqual({
      kind: 'step',
      from: 'running',
      set: { leaseExpiresAtMs: 10_000 + LEASE_MS },
      events: [],
      isSilent: true,
    });
  });

  it('R-82 succeeds when it changes nothing', () => {
    const run = aRunningRun({ leaseExpiresAtMs: 10_000 + LEASE_MS });
    expect(answerOf(renewLease(someFacts({ run }), CLAIM_OF_RUN))).toBe('accepted');
    expect(answerOf(renewLease(someFacts({ run }), { ...CLAIM_OF_RUN, ownerToken: 'token-2' }))).toBe('lease_lost');
  });

  it.each(STRANGERS)('%s is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(renewLease(someFacts({ run }), CLAIM_OF_RUN))).toBe(expected);
  });
  it('X-6 is told that the run was cancelled', () => {
    expect(answerOf(renewLease(someFacts({ run: cancelled() }), CLAIM_OF_RUN))).toBe('run_cancelled');
  });
});

describe('the write fence', () => {
  const input = { ...CLAIM_OF_RUN, callId: 'c1', effect: 'non_idempotent_write' } as const;

  it('R-83 names effect and call before the write, with a fresh lease', () => {
    const run = aRunningRun({ recoverCallId: 'c0' });
    expect(changeOf(stampFence(someFacts({ run }), input))).toMatchObject({
      kind: 'fenced',
      from: 'running',
      set: {
        fenceEffect: 'non_idempotent_write',
        fenceCallId: 'c1',
        recoverCallId: '',
        phase: 'tools',
        leaseExpiresAtMs: 10_000 + LEASE_MS,
      },
    });
  });
  it.each(STRANGERS)('R-93 (%s) is refused when %s, so the write does not happen', (_id, _name, run, expected) => {
    expect(answerOf(stampFence(someFacts({ run }), input))).toBe(expected);
  });
  it('R-93 is refused while everything is paused, so that nothing not yet fenced happens', () => {
    expect(answerOf(stampFence(someFacts({ run: aRunningRun(), isPaused: true }), input))).toBe('paused');
  });
  it('R-93 is refused on a cancelled run', () => {
    expect(answerOf(stampFence(someFacts({ run: cancelled() }), input))).toBe('run_cancelled');
  });
});

describe('handing a run back', () => {
  const STOPPED = { ...CLAIM_OF_RUN, cause: 'worker_stopped' } as const;

  it('X-21 is uncounted, due at once, and keeps segment, decision and recovery mark', () => {
    const run = aRunningRun({ segment: 'resume', decisionNumber: 1, recoverCallId: 'c1', requeueCount: 2 });
    const change = changeOf(releaseClaim(someFacts({ run }), STOPPED));
    expect(change.wakes).toBe(true);
    expect(afterChange(run, change)).toMatchObject({
      status: 'queued',
      segment: 'resume',
      decisionNumber: 1,
      recoverCallId: 'c1',
      requeueCount: 2,
      ownerToken: '',
      leaseExpiresAtMs: 0,
      nextAttemptAtMs: 10_000,
    });
  });
  it.each([
    ['other_form', 600_000],
    ['initiator_unavailable', 0],
  ] as const)('D-14 and D-16 for %s is uncounted and loses nothing', (cause, delayMs) => {
    const run = aRunningRun({ segment: 'resume', decisionNumber: 1, requeueCount: 1 });
    const change = changeOf(releaseClaim(someFacts({ run }), { ...CLAIM_OF_RUN, cause }));
    expect(change).not.toHaveProperty('pendingTurn');
    expect(afterChange(run, change)).toMatchObject({
      status: 'queued',
      segment: 'resume',
      decisionNumber: 1,
      requeueCount: 1,
      nextAttemptAtMs: 10_000 + delayMs,
    });
    expect(change.events).toMatchObject([{ kind: 'requeued', payload: { cause, counted: false } }]);
  });
  it('T-10 because everything is paused keeps a decided turn and says why it is held', () => {
    const run = aRunningRun({ segment: 'resume', decisionNumber: 1 });
    const change = changeOf(releaseClaim(someFacts({ run }), { ...CLAIM_OF_RUN, cause: 'paused' }));
    expect(afterChange(run, change)).toMatchObject({
      status: 'queued',
      hold: 'paused',
      decisionNumber: 1,
      requeueCount: 0,
    });
    expect(change.events).toMatchObject([{ kind: 'requeued', payload: { cause: 'paused', counted: false } }]);
  });
  it.each(['idempotent_write', 'non_idempotent_write'] as const)(
    'X-2 is refused while a %s is fenced',
    (fenceEffect) => {
      const run = aRunningRun({ fenceEffect, fenceCallId: 'c1' });
      expect(answerOf(releaseClaim(someFacts({ run }), STOPPED))).toBe('lease_lost');
    },
  );
  it.each(STRANGERS)('%s is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(releaseClaim(someFacts({ run }), STOPPED))).toBe(expected);
  });
});

describe('a write of a segment that had lost its run', () => {
  const write = {
    callId: 'c1',
    toolName: 'make_x',
    effect: 'non_idempotent_write',
    target: null,
    cause: 'orphaned',
    detail: { call: aCall('make_x'), preview: null },
  } as const;

  it.each([aRunningRun({ ownerToken: 'token-2' }), aWaitingRun(), aRun(), cancelled()])(
    'X-3 is kept beside a run that is $status, which it does not touch',
    (run) => {
      const change = changeOf(recordOrphanWrite(someFacts({ run }), { write, attempt: 1 }));
      expect(change).toMatchObject({ from: run.status, set: {}, uncertainWrite: write });
      expect(change.events).toMatchObject([
        { kind: 'uncertain_write', payload: { toolName: 'make_x', cause: 'orphaned', ofAttempt: 1 } },
      ]);
    },
  );
  it('X-3 needs a run to stand beside', () => {
    expect(answerOf(recordOrphanWrite(someFacts({ run: null }), { write, attempt: 1 }))).toBe('lease_lost');
  });
});

import { describe, expect, it } from 'vitest';
import { bounceApproval, suspendRun } from '../../src-main/domain/suspend-rules.ts';
import { previewDigest, turnDigest } from '../../src-main/domain/turn-rules.ts';
import {
  aCall,
  aFailedPreview,
  answerOf,
  aRunningRun,
  aTurn,
  aWaitingRun,
  changeOf,
  CLAIM_OF_RUN,
  EFFECTS,
  someFacts,
} from '../support/run-builders.ts';

const TURN = aTurn([aCall('read_x'), aCall('set_x')]);
const suspendInput = {
  ...CLAIM_OF_RUN,
  turn: TURN,
  effects: EFFECTS,
};
const bounceInput = { ...CLAIM_OF_RUN, turn: { ...TURN, staleCallIds: ['call-set_x'] }, effects: EFFECTS };
const NOT_OWNED = [
  ['X-7', 'another owner runs it', aRunningRun({ ownerToken: 'token-2', attempt: 2 }), 'lease_lost'],
  ['X-20', 'another segment of the process runs it', aRunningRun({ ownerToken: 'token-2' }), 'lease_lost'],
  ['R-44', 'it was cancelled', aRunningRun({ status: 'cancelled', ownerToken: '', finishedAtMs: 5 }), 'run_cancelled'],
  ['X-7', 'it waits already', aWaitingRun(), 'lease_lost'],
  ['R-12', 'it ended', aRunningRun({ status: 'completed', ownerToken: '' }), 'lease_lost'],
  ['X-7', 'it is gone', null, 'lease_lost'],
] as const;

describe('suspending a run', () => {
  it('R-56 lets go of the row and keeps the turn with it', () => {
    const run = aRunningRun({ fenceEffect: '', phase: 'model', rounds: 1 });
    const change = changeOf(suspendRun(someFacts({ run }), suspendInput));
    expect(change).toMatchObject({
      kind: 'waiting',
      from: 'running',
      pendingTurn: TURN,
      set: {
        status: 'waiting_for_approval',
        segment: 'resume',
        ownerToken: '',
        workerId: '',
        leaseExpiresAtMs: 0,
        phase: '',
        fenceEffect: '',
        pendingTool: 'set_x',
        pendingEffect: 'idempotent_write',
        pendingTarget: 'site/pages#42 + 1 more',
        turnDigest: turnDigest(TURN.calls),
        previewRevision: 1,
        bounceCount: 0,
        decisionNumber: 0,
        waitingSinceMs: 10_000,
      },
    });
    expect(change.request).toBeUndefined();
    expect(change.transcript).toBeUndefined();
  });

  it('T-112 records what the card shows as digests, names and counts only', () => {
    const failing = aCall('make_x');
    const turn = aTurn([aCall('set_x'), failing], {
      previews: [...aTurn().previews, aFailedPreview(failing)],
    });
    const change = changeOf(suspendRun(someFacts({ run: aRunningRun() }), { ...suspendInput, turn }));
    expect(change.events.at(-1)).toEqual({
      kind: 'suspended',
      round: 1,
      durationMs: 0,
      payload: {
        tools: ['set_x', 'make_x'],
        previewRevision: 1,
        previewDigest: previewDigest(turn),
        failedPreviews: 1,
      },
    });
  });

  it.each([0, 1, 7])('H-093 gives the card revision %i + 1, also for the very same turn', (previewRevision) => {
    const run = aRunningRun({ previewRevision });
    expect(changeOf(suspendRun(someFacts({ run }), suspendInput)).set.previewRevision).toBe(previewRevision + 1);
  });

  it('H-121 counts a tool whose effect nobody declared as the strictest', () => {
    const input = { ...suspendInput, effects: {}, turn: aTurn([aCall('toString')]) };
    expect(changeOf(suspendRun(someFacts({ run: aRunningRun() }), input)).set.pendingEffect).toBe(
      'non_idempotent_write',
    );
  });

  it.each(NOT_OWNED)('%s is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(suspendRun(someFacts({ run }), suspendInput))).toBe(expected);
  });
});

describe('sending an approval back', () => {
  const resumed = aRunningRun({
    segment: 'resume',
    previewRevision: 3,
    bounceCount: 1,
    decisionNumber: 2,
    lastDecisionNumber: 2,
  });

  it('H-172 waits again with the next revision and counts, and marks the moved calls', () => {
    const change = changeOf(bounceApproval(someFacts({ run: resumed }), bounceInput));
    expect(change.set).toMatchObject({
      status: 'waiting_for_approval',
      previewRevision: 4,
      bounceCount: 2,
      decisionNumber: 0,
      ownerToken: '',
      leaseExpiresAtMs: 0,
      waitingSinceMs: 10_000,
    });
    expect(change.pendingTurn).toEqual(bounceInput.turn);
    expect(change.events).toMatchObject([
      { kind: 'approval_bounced', round: 1, payload: { decisionNumber: 2, staleCallIndexes: [1] } },
      { kind: 'suspended', payload: { previewRevision: 4 } },
    ]);
  });

  it('H-181 keeps transcript, counters and the digest of the turn', () => {
    const change = changeOf(bounceApproval(someFacts({ run: resumed }), bounceInput));
    expect(change.transcript).toBeUndefined();
    expect(change.set.turnDigest).toBe(turnDigest(TURN.calls));
    for (const field of ['rounds', 'inputTokens', 'lastDecisionNumber', 'requeueCount']) {
      expect(change.set).not.toHaveProperty(field);
    }
  });

  it.each(NOT_OWNED)('%s is refused when %s', (_id, _name, run, expected) => {
    expect(answerOf(bounceApproval(someFacts({ run }), bounceInput))).toBe(expected);
  });
});

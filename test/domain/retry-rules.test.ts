import { describe, expect, it } from 'vitest';
import { expireWaiting } from '../../src-main/domain/expire-rules.ts';
import { DECISION_LIMIT_MS } from '../../src-main/domain/limits.ts';
import { retryNow } from '../../src-main/domain/retry-rules.ts';
import { afterChange, answerOf, aRun, aRunningRun, aWaitingRun, changeOf, someFacts } from '../support/run-builders.ts';

const OWNER = { kind: 'operator', operatorId: 3 } as const;
const owner = { id: 3, name: 'owner', isAdmin: false, isEnabled: true, grants: [] };

describe('trying again at once', () => {
  const held = aRun({
    hold: 'offline',
    nextAttemptAtMs: 900_000,
    requeueCount: 2,
    offlineDelayMs: 5_000,
    offlineSinceMs: 9,
  });

  it('T-15 makes a run due that waits for its endpoint, and forgets neither tries nor since when', () => {
    const change = changeOf(retryNow(someFacts({ run: held, operator: owner }), { actor: OWNER }));
    expect(afterChange(held, change)).toMatchObject({
      status: 'queued',
      hold: '',
      nextAttemptAtMs: 10_000,
      requeueCount: 2,
      offlineSinceMs: 9,
    });
    expect(change.wakes).toBe(true);
    expect(change.events).toMatchObject([{ kind: 'retried', payload: { retriedBy: 3, skippedMs: 890_000 } }]);
  });
  it('leaves the window of an approval alone', () => {
    const run = aRun({ segment: 'resume', decisionNumber: 1, notBeforeAtMs: 12_000, nextAttemptAtMs: 20_000 });
    const change = changeOf(retryNow(someFacts({ run, operator: owner }), { actor: OWNER }));
    expect(afterChange(run, change).notBeforeAtMs).toBe(12_000);
  });
  it.each([
    ['a run that is due', aRun({ nextAttemptAtMs: 10_000 })],
    ['a run that is carried out', aRunningRun()],
    ['a run that waits for a person', aWaitingRun()],
  ])('is refused for %s', (_name, run) => {
    expect(answerOf(retryNow(someFacts({ run, operator: owner }), { actor: OWNER }))).toBe('not_delayed');
  });
  it.each([
    ['a stranger', { ...owner, id: 9 }, { kind: 'operator', operatorId: 9 } as const],
    ['somebody disabled', { ...owner, isEnabled: false }, OWNER],
    ['nobody', null, { kind: 'anonymous' } as const],
  ])('tells %s only that there is no such run', (_name, operator, actor) => {
    expect(answerOf(retryNow(someFacts({ run: held, operator }), { actor }))).toBe('unknown_run');
    expect(answerOf(retryNow(someFacts({ run: null, operator }), { actor }))).toBe('unknown_run');
  });
});

describe('a turn that nobody decides', () => {
  const run = aWaitingRun({ waitingSinceMs: 1_000 });
  it('X-19 ends its run as expired, with an event', () => {
    const change = changeOf(expireWaiting(someFacts({ run, nowMs: 1_000 + DECISION_LIMIT_MS })));
    expect(afterChange(run, change)).toMatchObject({ status: 'cancelled', endReason: 'expired', turnDigest: '' });
    expect(change.events).toMatchObject([{ kind: 'finished', payload: { reason: 'expired' } }]);
    expect(change).toMatchObject({ request: null, pendingTurn: null, transcript: null });
  });
  it('T-59 says that nobody decided in time, and nothing of a denial or of a configuration', () => {
    const { result } = changeOf(expireWaiting(someFacts({ run, nowMs: 1_000 + DECISION_LIMIT_MS })));
    expect(result?.failure).toMatch(/^Nobody decided this turn in time\. Nothing of it was executed\./);
    expect(result?.failure).not.toMatch(/denied|declined|configuration/i);
  });
  it('X-19 lists the write that an earlier segment left unexamined', () => {
    const left = { ...run, recoverCallId: 'c1', pendingTool: 'set_x' };
    const change = changeOf(expireWaiting(someFacts({ run: left, nowMs: 1_000 + DECISION_LIMIT_MS })));
    expect(change.uncertainWrite).toMatchObject({ callId: 'c1', toolName: 'set_x', effect: 'idempotent_write' });
    expect(change.events.map(({ kind }) => kind)).toEqual(['uncertain_write', 'finished']);
  });
  it('X-19 waits until the very last millisecond', () => {
    expect(answerOf(expireWaiting(someFacts({ run, nowMs: 999 + DECISION_LIMIT_MS })))).toBe('not_waiting');
  });
  it('X-19 touches no run that does not wait', () => {
    expect(answerOf(expireWaiting(someFacts({ run: aRun(), nowMs: 2 * DECISION_LIMIT_MS })))).toBe('not_waiting');
  });
});

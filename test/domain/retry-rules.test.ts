import { describe, expect, it } from 'vitest';
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

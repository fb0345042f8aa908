import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-main/domain/configuration.ts';
import { expiresAtMs, expireWaiting, remindOfExpiry, reminderLeadMs } from '../../src-main/domain/expire-rules.ts';
import {
  aConfiguration,
  afterChange,
  answerOf,
  aRun,
  aWaitingRun,
  changeOf,
  someFacts,
} from '../support/run-builders.ts';

const DAY_MS = 86_400_000;
const LIMIT_MS = 90 * DAY_MS;
const SINCE_MS = 1_000;
const END_MS = SINCE_MS + LIMIT_MS;

const run = aWaitingRun({ waitingSinceMs: SINCE_MS });
const configuration = aConfiguration({ decisionLimitMs: LIMIT_MS });
const at = (nowMs: number, changes: Parameters<typeof someFacts>[0] = {}) =>
  someFacts({ run, configuration, nowMs, ...changes });

describe('a turn that nobody decides', () => {
  it('X-19 ends its run as expired, with an event: cancelled, not denied', () => {
    const change = changeOf(expireWaiting(at(END_MS)));
    expect(afterChange(run, change)).toMatchObject({ status: 'cancelled', endReason: 'expired', turnDigest: '' });
    expect(change.events).toMatchObject([{ kind: 'finished', payload: { reason: 'expired', waitedMs: LIMIT_MS } }]);
    expect(change).toMatchObject({ request: null, pendingTurn: null, transcript: null });
    expect(change.decision).toBeUndefined();
  });
  it('T-59 says that nobody decided in time, and nothing of a denial or of a configuration', () => {
    const { result } = changeOf(expireWaiting(at(END_MS)));
    expect(result?.failure).toMatch(/^Nobody decided this turn in time\. Nothing of it was executed\./);
    expect(result?.failure).not.toMatch(/denied|declined|configuration/i);
  });
  it('X-19 lists the write that an earlier segment left unexamined', () => {
    const left = { ...run, recoverCallId: 'c1', pendingTool: 'set_x' };
    const change = changeOf(expireWaiting(at(END_MS, { run: left })));
    expect(change.uncertainWrite).toMatchObject({ callId: 'c1', toolName: 'set_x', effect: 'idempotent_write' });
    expect(change.events.map(({ kind }) => kind)).toEqual(['uncertain_write', 'finished']);
  });
  it('X-19 waits until the very last millisecond', () => {
    expect(answerOf(expireWaiting(at(END_MS - 1)))).toBe('not_waiting');
  });
  it('X-19 touches no run that does not wait', () => {
    expect(answerOf(expireWaiting(at(2 * END_MS, { run: aRun() })))).toBe('not_waiting');
    expect(answerOf(expireWaiting(at(2 * END_MS, { run: null })))).toBe('unknown_run');
  });
  it.each([
    ['unless somebody sets a limit', aConfiguration()],
    ['when the configuration is gone', null],
  ])('T-58 waits for ever %s, and is not reminded of', (_name, given) => {
    expect(DEFAULT_SETTINGS.decisionLimitMs).toBeNull();
    expect(expiresAtMs(run, given)).toBe(0);
    const late = at(100 * END_MS, { configuration: given });
    expect([answerOf(expireWaiting(late)), answerOf(remindOfExpiry(late))]).toEqual(['not_waiting', 'not_waiting']);
  });
});

describe('a reminder of a turn that will expire', () => {
  it('changes nothing but the record', () => {
    const change = changeOf(remindOfExpiry(at(END_MS - DAY_MS)));
    expect(afterChange(run, change)).toEqual(run);
    expect(change.events).toMatchObject([
      { kind: 'expiry_near', payload: { expiresAtMs: END_MS, waitingSinceMs: SINCE_MS } },
    ]);
  });
  it.each([
    [60_000, 6_000],
    [10 * 3_600_000, 3_600_000],
    [10 * DAY_MS, DAY_MS],
    [LIMIT_MS, DAY_MS],
  ])('is due, of a limit of %i ms, %i ms before the end', (limitMs, leadMs) => {
    expect(reminderLeadMs(limitMs)).toBe(leadMs);
    const of = (nowMs: number) =>
      answerOf(remindOfExpiry(at(nowMs, { configuration: aConfiguration({ decisionLimitMs: limitMs }) })));
    const dueMs = SINCE_MS + limitMs - leadMs;
    expect([of(dueMs - 1), of(dueMs), of(dueMs + leadMs - 1)]).toEqual(['not_waiting', 'accepted', 'accepted']);
    // Then it is not near any more.
    expect(of(dueMs + leadMs)).toBe('not_waiting');
  });
  it('comes once, and only of a run that waits', () => {
    expect(answerOf(remindOfExpiry(at(END_MS - 1, { isReminded: true })))).toBe('not_waiting');
    expect(answerOf(remindOfExpiry(at(END_MS - 1, { run: aRun() })))).toBe('not_waiting');
    expect(answerOf(remindOfExpiry(at(END_MS - 1, { run: null })))).toBe('unknown_run');
  });
});

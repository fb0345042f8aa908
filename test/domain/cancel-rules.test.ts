import { describe, expect, it } from 'vitest';
import { RUN_STATUSES } from '../../src-shared/vocabulary.ts';
import { ANONYMOUS, type Actor, type Operator } from '../../src-main/domain/actor.ts';
import { cancelRun } from '../../src-main/domain/cancel-rules.ts';
import { isTerminal, type RunRecord } from '../../src-main/domain/run.ts';
import { recordStep } from '../../src-main/domain/segment-rules.ts';
import {
  aCall,
  afterChange,
  aRun,
  aRunningRun,
  asActor,
  aTurn,
  aWaitingRun,
  changeOf,
  CLAIM_OF_RUN,
  PEOPLE,
  someFacts,
} from '../support/run-builders.ts';

const TURN = aTurn([aCall('make_x', { id: 'c1' })]);
const cancel = (run: RunRecord | null, person: Operator | null = PEOPLE.owner, actor?: Actor) =>
  cancelRun(someFacts({ run, operator: person, pendingTurn: TURN }), {
    actor: actor ?? (person ? asActor(person) : ANONYMOUS),
  });
const BOT = { kind: 'service', name: 'bot', scopes: ['agent:cancel'] } satisfies Actor;

describe('cancelling', () => {
  it.each([aRun(), aRunningRun(), aWaitingRun(), aWaitingRun({ status: 'waiting_for_input' })])(
    'R-39 ends a run that is $status',
    (run) => {
      const change = changeOf(cancel(run));
      expect(change).toMatchObject({
        kind: 'ended',
        from: run.status,
        request: null,
        pendingTurn: null,
        transcript: null,
      });
      expect(change.uncertainWrite).toBeUndefined();
      expect(afterChange(run, change)).toMatchObject({
        status: 'cancelled',
        endReason: 'cancelled',
        errorClass: '',
        ownerToken: '',
        leaseExpiresAtMs: 0,
        decisionNumber: 0,
        turnDigest: '',
        waitingSinceMs: 0,
        finishedAtMs: 10_000,
      });
      expect(change.events).toEqual([
        { kind: 'cancelled', round: 0, durationMs: 0, payload: { cancelledBy: 3, from: run.status } },
      ]);
    },
  );

  it('R-39 keeps the totals of the run', () => {
    const run = aRunningRun({ rounds: 3, inputTokens: 10, outputTokens: 5, costMicros: 7, previewRevision: 2 });
    expect(afterChange(run, changeOf(cancel(run)))).toMatchObject({
      rounds: 3,
      inputTokens: 10,
      outputTokens: 5,
      costMicros: 7,
      previewRevision: 2,
    });
  });

  it('R-39 leaves no hold on a run that ended', () => {
    const run = aRun({ hold: 'offline' });
    expect(afterChange(run, changeOf(cancel(run))).hold).toBe('');
  });

  it.each(RUN_STATUSES.filter(isTerminal))('R-39 is refused for a run that is %s', (status) => {
    expect(cancel(aRun({ status }))).toEqual({ ok: false, refusal: { kind: 'already_ended', status } });
  });

  it.each([
    ['R-43', 'a stranger', PEOPLE.outsider, undefined],
    ['H-345', 'a holder of the approve grant', PEOPLE.colleague, undefined],
    ['H-132', 'a disabled administrator', PEOPLE.disabled, undefined],
    ['H-346', 'nobody', null, undefined],
    ['R-194', 'a service account without the scope', null, { ...BOT, scopes: ['agent:approve'] } satisfies Actor],
  ] as [string, string, Operator | null, Actor | undefined][])(
    '%s answers %s as if there were no run',
    (_id, _who, person, actor) => {
      for (const run of [aRun(), aRun({ status: 'completed' }), null]) {
        expect(cancel(run, person, actor)).toEqual({ ok: false, refusal: { kind: 'unknown_run' } });
      }
    },
  );

  it('R-194 is open to a service account with the scope, which the event names', () => {
    expect(changeOf(cancel(aRun(), null, BOT)).events[0]?.payload).toMatchObject({
      cancelledBy: 0,
      serviceAccount: 'bot',
    });
  });
});

describe('cancelling while a write is in flight', () => {
  const run = aRunningRun({
    phase: 'tools',
    fenceEffect: 'non_idempotent_write',
    fenceCallId: 'c1',
    decisionNumber: 1,
  });

  it('X-2 lists the write at once', () => {
    const change = changeOf(cancel(run));
    expect(change.uncertainWrite).toMatchObject({ callId: 'c1', toolName: 'make_x', cause: 'interrupted' });
    expect(change.events[0]?.payload.writeInFlight).toBe('non_idempotent_write');
    expect(change.set).toMatchObject({ fenceEffect: '', fenceCallId: '' });
  });

  it('R-40 takes it off the list with its late step', () => {
    const cancelled = afterChange(run, changeOf(cancel(run)));
    const late = recordStep(someFacts({ run: cancelled }), {
      ...CLAIM_OF_RUN,
      events: [],
      messages: [],
      usage: null,
      rounds: 0,
      phase: 'tools',
      fencedCallId: 'c1',
      isEffectDone: true,
      endsTurn: true,
    });
    expect(changeOf(late).resolvesUncertainWrite).toEqual({ callId: 'c1', resolution: 'recorded_late' });
  });

  it.each([aRun({ recoverCallId: 'c1', attempt: 1 }), aRunningRun({ recoverCallId: 'c1' })])(
    'X-2 lists a write that a dead worker left to be examined ($status)',
    (interrupted) => {
      const change = changeOf(cancel(interrupted));
      expect(change.uncertainWrite).toMatchObject({ callId: 'c1', effect: 'idempotent_write', cause: 'interrupted' });
      expect(change.events[0]?.payload.writeInFlight).toBe('idempotent_write');
      expect(change.set.recoverCallId).toBe('');
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src-main/domain/actor.ts';
import { claimRun } from '../../src-main/domain/claim-rules.ts';
import { approvalBar, withdrawApproval } from '../../src-main/domain/decide-rules.ts';
import type { Decision, RunRecord } from '../../src-main/domain/run.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import { turnDigest } from '../../src-main/domain/turn-rules.ts';
import {
  aCall,
  aConfiguration,
  afterChange,
  answerOf,
  asActor,
  aTurn,
  aWaitingRun,
  changeOf,
  PEOPLE,
  someFacts,
  TOOL_LIST,
} from '../support/run-builders.ts';
import { BOT, decide, fourEyes, TURN, withTurn } from '../support/decide.ts';

describe('who may release a write', () => {
  const approve = (person: Operator | null, names: string[], changes: Partial<Facts> = {}, tools = TOOL_LIST) => {
    const turn = aTurn(names.map((name) => aCall(name)));
    const [factChanges, inputChanges] = withTurn(turn, { tools });
    return decide(person, { ...factChanges, ...changes }, inputChanges);
  };
  const refusal = (toolName: string, reason: string) => ({
    ok: false,
    refusal: { kind: 'approver_not_permitted', toolName, reason },
  });

  it('H-126 refuses the grant holder for a write of administrators, with the reason and no argument', () => {
    const result = approve(PEOPLE.colleague, ['admin_x']);
    expect(result).toEqual(refusal('admin_x', 'requiresAdmin'));
  });
  it('H-127 lets the same person release a read', () => {
    expect(answerOf(approve(PEOPLE.colleague, ['mark_x', 'read_x']))).toBe('accepted');
  });
  it('H-128 lets somebody release a write they may run', () => {
    expect(answerOf(approve(PEOPLE.colleague, ['set_x']))).toBe('accepted');
  });
  it('H-130 refuses a service account any write', () => {
    expect(approve(null, ['mark_x', 'set_x'])).toEqual(refusal('set_x', 'serviceAccount'));
  });
  it('R-196 lets a service account release a read, which it says that it has not seen, and names it in the event', () => {
    const [facts, binding] = withTurn(aTurn([aCall('mark_x')]), { confirmsBlind: true });
    const change = changeOf(decide(null, facts, binding));
    expect(change.decision?.decidedBy).toBe(0);
    expect(change.events[0]?.payload.serviceAccount).toBe('bot');
  });
  it('H-133 refuses the whole turn for one forbidden write', () => {
    expect(approve(PEOPLE.colleague, ['set_x', 'admin_x'])).toEqual(refusal('admin_x', 'requiresAdmin'));
  });
  it('H-132 and H-139 says beforehand that an account that was switched off releases nothing', () => {
    const facts = someFacts({ run: aWaitingRun(), operator: PEOPLE.disabled, pendingTurn: TURN });
    expect(approvalBar(facts, asActor(PEOPLE.disabled), TOOL_LIST)).toMatchObject({ reason: 'accountUnavailable' });
    const owner = { ...facts, operator: PEOPLE.owner };
    expect(approvalBar(owner, asActor(PEOPLE.owner), TOOL_LIST)).toBeNull();
  });
  it.each([
    ['H-121', 'a tool that no longer exists', ['gone_x'], {}, 'gone_x', 'notRegistered'],
    ['H-121', 'a name that is a property of every object', ['constructor'], {}, 'constructor', 'notRegistered'],
    [
      'R-71',
      'a tool switched off',
      ['set_x'],
      { configuration: aConfiguration({ disabledTools: ['set_x'] }) },
      'set_x',
      'toolDisabled',
    ],
    [
      'R-71',
      'a group not granted',
      ['files_x'],
      { configuration: aConfiguration({ toolGroups: ['records'] }) },
      'files_x',
      'configurationGroup',
    ],
  ])('%s refuses %s, also to an administrator', (_id, _what, names, changes, toolName, reason) => {
    expect(approve(PEOPLE.admin, names, changes)).toEqual(refusal(toolName, reason));
  });
  it('R-71 judges by the registry as it is now', () => {
    const grown = TOOL_LIST.map((definition) =>
      definition.name === 'mark_x'
        ? { ...definition, requiresAdmin: true, effect: 'idempotent_write' as const }
        : definition,
    );
    expect(approve(PEOPLE.colleague, ['mark_x'], {}, grown)).toEqual(refusal('mark_x', 'requiresAdmin'));
  });
  it('H-136 lets somebody release what a zone that is only observed would forbid', () => {
    const model = { kind: 'openai_compatible', baseUrl: 'https://api.example.com/v1', modelId: 'm' } as const;
    const inZone = (zoneEnforcement: string) => ({ configuration: aConfiguration({ model, zoneEnforcement }) });
    expect(approve(PEOPLE.colleague, ['set_x'], inZone('enforce'))).toEqual(refusal('set_x', 'trustZone'));
    expect(answerOf(approve(PEOPLE.colleague, ['set_x'], inZone('observe')))).toBe('accepted');
  });

  it('H-137 leaves the card to the next person', () => {
    expect(answerOf(approve(PEOPLE.colleague, ['admin_x']))).toBe('approver_not_permitted');
    expect(answerOf(approve(PEOPLE.admin, ['admin_x']))).toBe('accepted');
  });
});

describe('the second person', () => {
  const ownedBy = (person: Operator): RunRecord => aWaitingRun({ initiatorId: person.id, actor: asActor(person) });

  it.each([
    ['H-140', 'refuses the initiator', PEOPLE.owner, PEOPLE.owner, true, 'second_approver_required'],
    [
      'H-141 and T-86',
      'refuses an administrator on their own run',
      PEOPLE.admin,
      PEOPLE.admin,
      true,
      'second_approver_required',
    ],
    ['H-142', 'lets the initiator deny', PEOPLE.owner, PEOPLE.owner, false, 'accepted'],
    ['H-143', 'lets a colleague approve', PEOPLE.owner, PEOPLE.colleague, true, 'accepted'],
    ['H-143', 'lets an administrator approve the run of another', PEOPLE.owner, PEOPLE.admin, true, 'accepted'],
  ] as const)('%s %s', (_id, _what, initiator, person, approved, expected) => {
    expect(answerOf(decide(person, { ...fourEyes, run: ownedBy(initiator) }, { approved }))).toBe(expected);
  });

  it('H-140 is asked for by the name of the configuration', () => {
    expect(decide(PEOPLE.owner, fourEyes)).toEqual({
      ok: false,
      refusal: { kind: 'second_approver_required', configuration: 'sample' },
    });
  });

  it('H-144 and T-87 is asked for by the configuration of the run: where its switch is off, one person suffices', () => {
    const wanting = aConfiguration({ requireSecondApprover: true }, { identifier: 'site' });
    const sandbox = aConfiguration({ requireSecondApprover: false }, { identifier: 'sandbox' });
    expect(answerOf(decide(PEOPLE.owner, { configuration: wanting }))).toBe('second_approver_required');
    expect(answerOf(decide(PEOPLE.owner, { configuration: sandbox }))).toBe('accepted');
  });

  it('is wanted beside everybody who edited the turn, too, and only where it is wanted', () => {
    const turn = aTurn(TURN.calls, { edits: { 'call-set_x': { original: {}, editedBy: [5] } } });
    const [facts, binding] = withTurn(turn);
    expect(answerOf(decide(PEOPLE.colleague, { ...fourEyes, ...facts }, binding))).toBe('second_approver_required');
    expect(answerOf(decide(PEOPLE.colleague, { ...fourEyes, ...facts }, { ...binding, approved: false }))).toBe(
      'accepted',
    );
    expect(answerOf(decide(PEOPLE.admin, { ...fourEyes, ...facts }, binding))).toBe('accepted');
    expect(answerOf(decide(PEOPLE.colleague, facts, binding))).toBe('accepted');
  });

  it('R-197 is never the service account that started the run: it has no initiator', () => {
    const run = aWaitingRun({ initiatorId: 0, actor: { kind: 'service', name: 'bot', scopes: [] } });
    const [factChanges, inputChanges] = withTurn(aTurn([aCall('mark_x')]));
    const unseen = { ...inputChanges, confirmsBlind: true };
    expect(answerOf(decide(null, { ...fourEyes, ...factChanges, run }, unseen))).toBe('accepted');
    expect(answerOf(decide(PEOPLE.admin, { ...fourEyes, ...factChanges, run }, inputChanges))).toBe('accepted');
  });
});

describe('taking an approval back', () => {
  const decision: Decision = {
    v: 2,
    kind: 'approval',
    number: 1,
    verdicts: { 'call-set_x': 'approved' },
    note: '',
    isBlind: false,
    trigger: null,
    decidedBy: 3,
    decidedAtMs: 9_000,
    turnDigest: turnDigest(TURN.calls),
    previewRevision: 1,
    denialReason: null,
  };
  const decidedRun = aWaitingRun({
    status: 'queued',
    decisionNumber: 1,
    lastDecisionNumber: 1,
    notBeforeAtMs: 12_000,
    waitingSinceMs: 0,
  });
  const withdraw = (person: Operator, changes: Partial<Facts> = {}) =>
    withdrawApproval(someFacts({ run: decidedRun, operator: person, decision, pendingTurn: aTurn(), ...changes }), {
      actor: asActor(person),
    });

  it('T-45 puts the same turn back under a new revision, so that the old decision can never be revived, and is recorded', () => {
    const change = changeOf(withdraw(PEOPLE.owner));
    const run = afterChange(decidedRun, change);
    expect(run).toMatchObject({
      status: 'waiting_for_approval',
      decisionNumber: 0,
      lastDecisionNumber: 1,
      notBeforeAtMs: 0,
      waitingSinceMs: 10_000,
      previewRevision: 2,
    });
    expect(change.events).toMatchObject([
      { kind: 'approval_withdrawn', payload: { decisionNumber: 1, withdrawnBy: 3 } },
      { kind: 'suspended', payload: { previewRevision: 2 } },
    ]);
    expect(change.pendingTurn).toEqual(aTurn());
  });

  it('is over once a worker has taken the run up, though it waits again and the clock was set back', () => {
    const claim = { workerId: 'worker-1', ownerToken: 'token-1', nowMs: 12_000, isIdle: true };
    const taken = { ...decidedRun, ...claimRun(decidedRun, claim, { opening: null, receipt: null, last: null }).set };
    const waitsAgain = { ...taken, status: 'queued', hold: 'offline' } as const;
    expect(answerOf(withdraw(PEOPLE.owner, { run: waitsAgain, nowMs: 11_000 }))).toBe('withdraw_window_over');
  });

  it.each([
    ['somebody else who may approve', PEOPLE.colleague, {}, 'unknown_run'],
    ['an administrator', PEOPLE.admin, {}, 'unknown_run'],
    ['an outsider', PEOPLE.outsider, {}, 'unknown_run'],
    ['the decider after the account was disabled', { ...PEOPLE.owner, isEnabled: false }, {}, 'unknown_run'],
    ['the decider of an unreadable decision', PEOPLE.owner, { decision: null }, 'unknown_run'],
    ['the decider at the end of the window', PEOPLE.owner, { nowMs: 12_000 }, 'withdraw_window_over'],
    [
      'the decider once a worker has it',
      PEOPLE.owner,
      { run: { ...decidedRun, status: 'running' } },
      'withdraw_window_over',
    ],
    [
      'the decider of a denial',
      PEOPLE.owner,
      { decision: { ...decision, verdicts: { 'call-set_x': 'denied' } } },
      'withdraw_window_over',
    ],
    [
      'the decider of an ended run',
      PEOPLE.owner,
      { run: { ...decidedRun, status: 'cancelled' } },
      'withdraw_window_over',
    ],
  ] as [string, Operator, Partial<Facts>, string][])('T-45 is refused to %s', (_who, person, changes, expected) => {
    expect(answerOf(withdraw(person, changes))).toBe(expected);
  });

  it('T-45 does not let a service account take back what another one decided', () => {
    const facts = someFacts({ run: decidedRun, decision: { ...decision, decidedBy: 0 } });
    expect(answerOf(withdrawApproval(facts, { actor: { ...BOT, scopes: ['agent:approve'] } }))).toBe('unknown_run');
  });
});

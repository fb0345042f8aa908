import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src-main/domain/actor.ts';
import { decideApproval, withdrawApproval, type DecideInput } from '../../src-main/domain/decide-rules.ts';
import type { Decision, PendingTurn, RunRecord } from '../../src-main/domain/run.ts';
import type { Facts } from '../../src-main/domain/run-change.ts';
import { turnDigest } from '../../src-main/domain/turn-rules.ts';
import {
  aCall,
  aConfiguration,
  afterChange,
  aFailedPreview,
  answerOf,
  asActor,
  aTurn,
  aWaitingRun,
  changeOf,
  PEOPLE,
  someFacts,
  TOOL_LIST,
} from '../support/run-builders.ts';

const TURN = aTurn();
const BOT = { kind: 'service', name: 'bot', scopes: ['agent:approve'] } as const;

/** Facts as the store would read them for the person who decides. */
function facts(person: Operator | null, changes: Partial<Facts> = {}): Facts {
  return someFacts({ run: aWaitingRun(), operator: person, pendingTurn: TURN, ...changes });
}

/** What the card of the waiting run delivered, decided by `person`. */
function input(person: Operator | null, changes: Partial<DecideInput> = {}): DecideInput {
  return {
    actor: person ? asActor(person) : { ...BOT, scopes: [...BOT.scopes] },
    approved: true,
    turnDigest: turnDigest(TURN.calls),
    previewRevision: 1,
    denialReason: null,
    withdrawWindowMs: null,
    tools: TOOL_LIST,
    ...changes,
  };
}

function decide(person: Operator | null, factChanges: Partial<Facts> = {}, inputChanges: Partial<DecideInput> = {}) {
  return decideApproval(facts(person, factChanges), input(person, inputChanges));
}

const fourEyes = { configuration: aConfiguration({ requireSecondApprover: true }) };
const withTurn = (turn: PendingTurn, changes: Partial<DecideInput> = {}): [Partial<Facts>, Partial<DecideInput>] => [
  { pendingTurn: turn },
  { turnDigest: turnDigest(turn.calls), ...changes },
];

describe('an approval', () => {
  it('H-094 stores the decision and its event and queues the resume, in one change', () => {
    const change = changeOf(decide(PEOPLE.colleague));
    expect(change).toMatchObject({
      kind: 'decided',
      from: 'waiting_for_approval',
      wakes: true,
      set: {
        status: 'queued',
        segment: 'resume',
        decisionNumber: 1,
        lastDecisionNumber: 1,
        notBeforeAtMs: 10_000,
        nextAttemptAtMs: 10_000,
        queuedAtMs: 10_000,
        waitingSinceMs: 0,
        ownerToken: '',
        leaseExpiresAtMs: 0,
      },
      decision: {
        v: 1,
        number: 1,
        approved: true,
        decidedBy: 5,
        decidedAtMs: 10_000,
        previewRevision: 1,
        denialReason: null,
      },
    });
    expect(change.decision?.turnDigest).toBe(turnDigest(TURN.calls));
    expect(change.events.map((event) => event.kind)).toEqual(['approval']);
    expect(change.pendingTurn).toBeUndefined();
  });

  it('H-352 puts closed words and digests into the event and no argument', () => {
    const turn = aTurn([aCall('set_x', { arguments: { note: 'swordfish' } })]);
    const [event] = changeOf(decide(PEOPLE.colleague, ...withTurn(turn))).events;
    expect(Object.keys(event?.payload ?? {}).toSorted()).toEqual([
      'approved',
      'decidedBy',
      'decisionNumber',
      'previewDigest',
      'previewRevision',
      'turnDigest',
    ]);
    expect(JSON.stringify(event)).not.toContain('swordfish');
  });

  it('H-350 takes the decider from the actor, whatever else the message carries', () => {
    const change = changeOf(decide(PEOPLE.colleague, {}, { decidedBy: 1 } as Partial<DecideInput>));
    expect(change.decision?.decidedBy).toBe(5);
    expect(change.events[0]?.payload.decidedBy).toBe(5);
  });

  it('H-121 marks an approval that released a write without a readable preview as blind', () => {
    const call = aCall('make_x');
    const turn = aTurn([call], { previews: [aFailedPreview(call)] });
    expect(changeOf(decide(PEOPLE.owner, ...withTurn(turn))).events[0]?.payload.blind).toBe(true);
    const read = aCall('mark_x');
    const readTurn = aTurn([read], { previews: [aFailedPreview(read)] });
    expect(changeOf(decide(PEOPLE.owner, ...withTurn(readTurn))).events[0]?.payload).not.toHaveProperty('blind');
  });

  it('H-097 numbers every decision of a run anew', () => {
    const run = aWaitingRun({ lastDecisionNumber: 4, previewRevision: 7 });
    const change = changeOf(decide(PEOPLE.owner, { run }, { previewRevision: 7 }));
    expect(change.set).toMatchObject({ decisionNumber: 5, lastDecisionNumber: 5 });
    expect(change.decision?.number).toBe(5);
  });
});

describe('a denial', () => {
  it('H-150 queues the resume with approved = false', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { approved: false }));
    expect(change.set).toMatchObject({ status: 'queued', segment: 'resume' });
    expect(change.decision).toMatchObject({ approved: false, denialReason: null });
    expect(change.events[0]?.payload).toMatchObject({ approved: false, decidedBy: 3 });
  });

  it('H-151 records the closed reason and nothing else beside it', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { approved: false, denialReason: 'variant' }));
    expect(change.decision?.denialReason).toBe('variant');
    expect(change.events[0]?.payload.denialReason).toBe('variant');
  });

  it('H-158 has a reason only when it is one: an approval drops it', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { denialReason: 'skip' }));
    expect(change.decision?.denialReason).toBeNull();
    expect(change.events[0]?.payload).not.toHaveProperty('denialReason');
  });

  it('H-157 never stores an approval together with a reason', () => {
    for (const denialReason of ['variant', 'skip'] as const) {
      const { decision } = changeOf(decide(PEOPLE.owner, {}, { approved: true, denialReason }));
      expect(decision).toMatchObject({ approved: true, denialReason: null });
    }
  });

  it('H-153 without the right digest is stale', () => {
    expect(answerOf(decide(PEOPLE.owner, {}, { approved: false, turnDigest: null }))).toBe('stale_turn');
    expect(answerOf(decide(PEOPLE.owner, {}, { approved: false, turnDigest: 'f'.repeat(64) }))).toBe('stale_turn');
  });

  it('R-71 passes the gate of the approver', () => {
    const [factChanges, inputChanges] = withTurn(aTurn([aCall('admin_x')]), { approved: false });
    expect(answerOf(decide(PEOPLE.colleague, factChanges, inputChanges))).toBe('accepted');
  });

  it('T-54 starts at once: there is nothing to take back', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { approved: false, withdrawWindowMs: 30_000 }));
    expect(change.set.notBeforeAtMs).toBe(10_000);
  });
});

describe('the window in which an approval can be taken back', () => {
  it.each([
    ['as the configuration says', null, 3_000, 13_000],
    ['as the request says', 500, 3_000, 10_500],
    ['none, when the request says 0', 0, 3_000, 10_000],
  ])('T-45 is %s', (_name, withdrawWindowMs, configured, notBeforeAtMs) => {
    const configuration = aConfiguration({ withdrawWindowMs: configured });
    expect(changeOf(decide(PEOPLE.owner, { configuration }, { withdrawWindowMs })).set).toMatchObject({
      notBeforeAtMs,
      nextAttemptAtMs: 10_000,
    });
  });
});

describe('access to a decision', () => {
  it.each([
    ['H-105', 'an outsider', PEOPLE.outsider, {}],
    ['H-132', 'a disabled administrator', PEOPLE.disabled, {}],
    ['H-125', 'anybody, of an unknown run', PEOPLE.admin, { run: null }],
    ['H-104', 'anybody, of a completed run', PEOPLE.admin, { run: aWaitingRun({ status: 'completed' }) }],
    ['T-22', 'anybody, of a cancelled run', PEOPLE.admin, { run: aWaitingRun({ status: 'cancelled' }) }],
    ['H-104', 'anybody, of a run that never waited', PEOPLE.admin, { run: aWaitingRun({ status: 'running' }) }],
    [
      'H-099',
      'anybody, of a run that waits for input',
      PEOPLE.admin,
      { run: aWaitingRun({ status: 'waiting_for_input' }) },
    ],
    [
      'H-125',
      'an outsider, of a decided run',
      PEOPLE.outsider,
      { run: aWaitingRun({ status: 'queued', decisionNumber: 1 }) },
    ],
  ] as [string, string, Operator, Partial<Facts>][])(
    '%s gives %s one and the same answer',
    (_id, _who, person, changes) => {
      for (const approved of [true, false]) {
        expect(decide(person, changes, { approved })).toEqual({
          ok: false,
          refusal: { kind: 'not_awaiting_approval' },
        });
      }
    },
  );

  it.each(['queued', 'running'] as const)('H-098 tells the loser of a race that the run is %s already', (status) => {
    const run = aWaitingRun({ status, decisionNumber: 1 });
    expect(decide(PEOPLE.owner, { run })).toEqual({ ok: false, refusal: { kind: 'already_decided', status } });
  });
});

describe('the gates of a decision', () => {
  const unreadable: Partial<Facts> = { pendingTurn: 'unreadable' };

  it.each([true, false])('H-106 refuse when the configuration is gone (approved: %s)', (approved) => {
    expect(decide(PEOPLE.owner, { configuration: null }, { approved })).toEqual({
      ok: false,
      refusal: { kind: 'configuration_gone', configuration: 'sample' },
    });
  });

  it.each([true, false])('H-107 refuse while the configuration is inactive (approved: %s)', (approved) => {
    const inactive = { configuration: aConfiguration({}, { isActive: false }) };
    expect(answerOf(decide(PEOPLE.owner, inactive, { approved }))).toBe('configuration_inactive');
    expect(answerOf(decide(PEOPLE.owner, {}, { approved }))).toBe('accepted');
  });

  it.each([true, false])('H-108 refuse unreadable state (approved: %s)', (approved) => {
    expect(answerOf(decide(PEOPLE.owner, unreadable, { approved }))).toBe('state_unreadable');
    expect(answerOf(decide(PEOPLE.owner, { pendingTurn: null }, { approved }))).toBe('state_unreadable');
  });

  it.each([null, '', 'f'.repeat(64), turnDigest(TURN.calls).slice(1)])('H-112 refuse the digest %j', (digest) => {
    expect(answerOf(decide(PEOPLE.owner, {}, { turnDigest: digest }))).toBe('stale_turn');
  });

  it('H-113 accept the current digest after a wrong one', () => {
    expect(answerOf(decide(PEOPLE.owner, {}, { turnDigest: 'f'.repeat(64) }))).toBe('stale_turn');
    expect(answerOf(decide(PEOPLE.owner))).toBe('accepted');
  });

  it('H-114 judge the digest of the stored turn, not of the card or the column', () => {
    const stored = aTurn([aCall('make_x')]);
    const run = aWaitingRun({ turnDigest: turnDigest(TURN.calls) });
    expect(answerOf(decide(PEOPLE.owner, { run, pendingTurn: stored }))).toBe('stale_turn');
  });

  it.each([0, 2, null, 1.5])('H-093 refuse the preview revision %s although the digest matches', (previewRevision) => {
    expect(decide(PEOPLE.owner, {}, { previewRevision })).toEqual({
      ok: false,
      refusal: { kind: 'stale_preview', currentRevision: 1 },
    });
  });

  /** Each row breaks its own gate and all the later ones: the answer is the first. */
  const EVERYTHING_WRONG: [
    id: string,
    expected: string,
    person: Operator,
    facts: Partial<Facts>,
    input: Partial<DecideInput>,
  ][] = (() => {
    const adminTurn = aTurn([aCall('admin_x')]);
    const owner = PEOPLE.owner;
    const staleDigest = { turnDigest: 'f'.repeat(64), previewRevision: 9 };
    return [
      ['H-105', 'not_awaiting_approval', PEOPLE.outsider, { configuration: null, ...unreadable }, staleDigest],
      ['H-106', 'configuration_gone', owner, { configuration: null, ...unreadable }, staleDigest],
      [
        'H-107',
        'configuration_inactive',
        owner,
        { configuration: aConfiguration({ requireSecondApprover: true }, { isActive: false }), ...unreadable },
        staleDigest,
      ],
      ['H-140', 'second_approver_required', owner, { ...fourEyes, ...unreadable }, staleDigest],
      ['H-108', 'state_unreadable', owner, unreadable, staleDigest],
      ['H-147', 'second_approver_required', owner, { ...fourEyes, pendingTurn: adminTurn }, staleDigest],
      ['H-115', 'stale_turn', owner, { pendingTurn: adminTurn }, staleDigest],
      [
        'H-093',
        'stale_preview',
        owner,
        { pendingTurn: adminTurn },
        { turnDigest: turnDigest(adminTurn.calls), previewRevision: 9 },
      ],
      [
        'H-116',
        'approver_not_permitted',
        owner,
        { pendingTurn: adminTurn },
        { turnDigest: turnDigest(adminTurn.calls) },
      ],
    ];
  })();
  it.each(EVERYTHING_WRONG)(
    '%s stand in order: %s comes before the rest',
    (_id, expected, person, factChanges, inputChanges) => {
      expect(answerOf(decide(person, factChanges, inputChanges))).toBe(expected);
    },
  );
});

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
  it('R-196 lets a service account release a read, and names it in the event', () => {
    const change = changeOf(approve(null, ['mark_x']));
    expect(change.decision?.decidedBy).toBe(0);
    expect(change.events[0]?.payload.serviceAccount).toBe('bot');
  });
  it('H-133 refuses the whole turn for one forbidden write', () => {
    expect(approve(PEOPLE.colleague, ['set_x', 'admin_x'])).toEqual(refusal('admin_x', 'requiresAdmin'));
  });
  it.each([
    ['H-121', 'a tool that no longer exists', ['gone_x'], {}, 'gone_x', 'notRegistered'],
    ['H-134', 'a name that is a property of every object', ['constructor'], {}, 'constructor', 'notRegistered'],
    [
      'H-129',
      'a tool switched off',
      ['set_x'],
      { configuration: aConfiguration({ disabledTools: ['set_x'] }) },
      'set_x',
      'toolDisabled',
    ],
    [
      'H-129',
      'a group not granted',
      ['files_x'],
      { configuration: aConfiguration({ toolGroups: ['records'] }) },
      'files_x',
      'configurationGroup',
    ],
  ])('%s refuses %s, also to an administrator', (_id, _what, names, changes, toolName, reason) => {
    expect(approve(PEOPLE.admin, names, changes)).toEqual(refusal(toolName, reason));
  });
  it('H-131 judges by the registry as it is now', () => {
    const grown = TOOL_LIST.map((definition) =>
      definition.name === 'mark_x'
        ? { ...definition, requiresAdmin: true, effect: 'idempotent_write' as const }
        : definition,
    );
    expect(approve(PEOPLE.colleague, ['mark_x'], {}, grown)).toEqual(refusal('mark_x', 'requiresAdmin'));
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
      'H-141',
      'refuses an administrator on their own run',
      PEOPLE.admin,
      PEOPLE.admin,
      true,
      'second_approver_required',
    ],
    ['H-142', 'lets the initiator deny', PEOPLE.owner, PEOPLE.owner, false, 'accepted'],
    ['H-143', 'lets a colleague approve', PEOPLE.owner, PEOPLE.colleague, true, 'accepted'],
    ['T-86', 'lets an administrator approve the run of another', PEOPLE.owner, PEOPLE.admin, true, 'accepted'],
  ] as const)('%s %s', (_id, _what, initiator, person, approved, expected) => {
    expect(answerOf(decide(person, { ...fourEyes, run: ownedBy(initiator) }, { approved }))).toBe(expected);
  });

  it('H-140 is asked for by the name of the configuration', () => {
    expect(decide(PEOPLE.owner, fourEyes)).toEqual({
      ok: false,
      refusal: { kind: 'second_approver_required', configuration: 'sample' },
    });
  });

  it('H-144 is not asked for when the switch is off', () => {
    expect(answerOf(decide(PEOPLE.owner))).toBe('accepted');
  });

  it('R-197 is never the service account that started the run: it has no initiator', () => {
    const run = aWaitingRun({ initiatorId: 0, actor: { kind: 'service', name: 'bot', scopes: [] } });
    const [factChanges, inputChanges] = withTurn(aTurn([aCall('mark_x')]));
    expect(answerOf(decide(null, { ...fourEyes, ...factChanges, run }, inputChanges))).toBe('accepted');
    expect(answerOf(decide(PEOPLE.admin, { ...fourEyes, ...factChanges, run }, inputChanges))).toBe('accepted');
  });
});

describe('taking an approval back', () => {
  const decision: Decision = {
    v: 1,
    number: 1,
    approved: true,
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
    withdrawApproval(someFacts({ run: decidedRun, operator: person, decision, ...changes }), {
      actor: asActor(person),
    });

  it('T-45 puts the same card back with its revision and is recorded', () => {
    const change = changeOf(withdraw(PEOPLE.owner));
    const run = afterChange(decidedRun, change);
    expect(run).toMatchObject({
      status: 'waiting_for_approval',
      decisionNumber: 0,
      lastDecisionNumber: 1,
      notBeforeAtMs: 0,
      waitingSinceMs: 10_000,
      previewRevision: 1,
    });
    expect(change.events).toMatchObject([
      { kind: 'approval_withdrawn', payload: { decisionNumber: 1, withdrawnBy: 3 } },
    ]);
    expect(change.pendingTurn).toBeUndefined();
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
    ['the decider of a denial', PEOPLE.owner, { decision: { ...decision, approved: false } }, 'withdraw_window_over'],
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

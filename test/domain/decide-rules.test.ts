import { describe, expect, it } from 'vitest';
import type { CallPreview } from '../../src-shared/preview.ts';
import type { Operator } from '../../src-main/domain/actor.ts';
import { type DecideInput } from '../../src-main/domain/decide-rules.ts';
import type { ApprovalDecision, PendingTurn } from '../../src-main/domain/run.ts';

import type { Facts } from '../../src-main/domain/run-change.ts';
import { definitionsOf, turnDigest } from '../../src-main/domain/turn-rules.ts';
import {
  aCall,
  aConfiguration,
  aFailedPreview,
  aPreview,
  answerOf,
  aTurn,
  aWaitingRun,
  changeOf,
  PEOPLE,
  TOOL_LIST,
} from '../support/run-builders.ts';
import { decide, fourEyes, TURN, withTurn } from '../support/decide.ts';

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
        v: 2,
        number: 1,
        verdicts: { 'call-set_x': 'approved' },
        isBlind: false,
        note: '',
        trigger: null,
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

  describe('of a write that no preview shows', () => {
    const call = aCall('make_x');
    const approveOf = (turn: PendingTurn, confirmsBlind: boolean) => {
      const [facts, binding] = withTurn(turn);
      return decide(PEOPLE.owner, facts, { ...binding, confirmsBlind });
    };
    const binary = aPreview(call);
    const file = { kind: 'file', workspace: 'site', path: 'logo.png' } as const;
    it.each([
      ['failed', [aFailedPreview(call)]],
      ['missing', []],
      ['of another tool', [{ ...aPreview(call), toolName: 'set_x' }]],
      [
        'of content that is no text',
        [
          {
            ...binary,
            preview: {
              kind: 'file',
              action: 'update',
              target: file,
              diff: '',
              sizeBytesBefore: 1,
              sizeBytesAfter: 2,
              notes: [],
            },
          },
        ],
      ],
    ] as [string, CallPreview[]][])('H-083 wants it said that nothing was seen, and says so: %s', (_what, previews) => {
      const turn = aTurn([call], { previews });
      expect(approveOf(turn, false)).toEqual({
        ok: false,
        refusal: { kind: 'blind_not_confirmed', toolNames: ['make_x'] },
      });
      const change = changeOf(approveOf(turn, true));
      expect(change.events[0]?.payload.blind).toBe(true);
      expect(change.decision).toMatchObject({ isBlind: true });
    });

    it('H-083 wants nothing of the kind for what was seen, for a read, and for a denial', () => {
      expect(changeOf(approveOf(aTurn([call]), true)).events[0]?.payload).not.toHaveProperty('blind');
      const read = aCall('mark_x');
      const seen = changeOf(approveOf(aTurn([read], { previews: [aFailedPreview(read)] }), false));
      expect(seen.events[0]?.payload).not.toHaveProperty('blind');
      const [facts, binding] = withTurn(aTurn([call], { previews: [] }), { approved: false });
      expect(answerOf(decide(PEOPLE.owner, facts, binding))).toBe('accepted');
    });
  });

  describe('of a call that is withheld from who decides', () => {
    const tools = TOOL_LIST.map((tool) => (tool.name === 'mark_x' ? { ...tool, requiresAdmin: true } : tool));
    it.each([
      ['a read of administrators beside a write', PEOPLE.owner, ['set_x', 'mark_x'], ['mark_x']],
      ['everything, for a service account', null, ['read_x', 'mark_x'], ['read_x', 'mark_x']],
    ] as const)('H-083 wants it said that nothing was seen, and says so: %s', (_what, person, names, withheld) => {
      const calls = names.map((name) => aCall(name));
      const definitions = definitionsOf(calls, (name) => tools.find((tool) => tool.name === name));
      const [facts, binding] = withTurn(aTurn(calls, { definitions }), { tools });
      expect(decide(person, facts, binding)).toEqual({
        ok: false,
        refusal: { kind: 'blind_not_confirmed', toolNames: withheld },
      });
      const change = changeOf(decide(person, facts, { ...binding, confirmsBlind: true }));
      expect(change.events[0]?.payload.blind).toBe(true);
      expect(change.decision).toMatchObject({ isBlind: true });
      expect(answerOf(decide(person, facts, { ...binding, approved: false }))).toBe('accepted');
      // An administrator sees it.
      expect(changeOf(decide(PEOPLE.admin, facts, binding)).decision).toMatchObject({ isBlind: false });
    });
  });

  it('T-84 refuses a card whose tool is defined otherwise now, and lets it be denied', () => {
    const tools = TOOL_LIST.map((tool) => (tool.name === 'set_x' ? { ...tool, description: 'Does more now.' } : tool));
    expect(decide(PEOPLE.owner, {}, { tools })).toEqual({
      ok: false,
      refusal: { kind: 'stale_tool', toolName: 'set_x' },
    });
    expect(answerOf(decide(PEOPLE.owner, {}, { tools, approved: false }))).toBe('accepted');
    const unknown = aTurn(TURN.calls, { definitions: {} });
    expect(answerOf(decide(PEOPLE.owner, { pendingTurn: unknown }))).toBe('stale_tool');
  });

  it('keeps how it came about, and what the page claims of it', () => {
    const trigger = { surface: 'window', claims: { via: 'keyboard' } } as const;
    const change = changeOf(decide(PEOPLE.owner, {}, { trigger }));
    expect(change.decision).toMatchObject({ trigger });
    expect(JSON.stringify(change.events)).not.toContain('keyboard');
  });

  it('T-66 decides every call of the turn by its id, the read between two writes too', () => {
    const calls = [aCall('set_x'), aCall('read_x'), aCall('make_x')];
    const [facts, binding] = withTurn(aTurn(calls));
    expect(changeOf(decide(PEOPLE.owner, facts, binding)).decision).toMatchObject({
      verdicts: { 'call-set_x': 'approved', 'call-read_x': 'approved', 'call-make_x': 'approved' },
    });
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
    expect(change.decision).toMatchObject({ verdicts: { 'call-set_x': 'denied' }, denialReason: null });
    expect(change.events[0]?.payload).toMatchObject({ approved: false, decidedBy: 3 });
  });

  it('H-160 keeps a note of one bounded line in the decision, and in no event', () => {
    const note = `too\u202e early\n${'x'.repeat(600)}`;
    const change = changeOf(decide(PEOPLE.owner, {}, { approved: false, note }));
    const stored = (change.decision as ApprovalDecision).note;
    expect(stored).toMatch(/^too early x+$/);
    expect(stored).toHaveLength(500);
    expect(JSON.stringify(change.events)).not.toContain('early');
    expect(changeOf(decide(PEOPLE.owner, {}, { note })).decision).toMatchObject({ note: '' });
  });

  it('H-151 records the closed reason and nothing else beside it', () => {
    const given = { approved: false, denialReason: 'variant', note: 'not this one' } as const;
    const change = changeOf(decide(PEOPLE.owner, {}, given));
    expect(change.decision).toMatchObject({ denialReason: 'variant', note: 'not this one' });
    expect(change.events[0]?.payload.denialReason).toBe('variant');
    // The reference has the first three; the others are what the decision was about (0004).
    expect(Object.keys(change.events[0]?.payload ?? {}).toSorted()).toEqual([
      'approved',
      'decidedBy',
      'decisionNumber',
      'denialReason',
      'previewDigest',
      'previewRevision',
      'turnDigest',
    ]);
  });

  it('H-158 drops the reason of an approval', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { denialReason: 'skip' }));
    expect(change.decision).toMatchObject({ denialReason: null });
    expect(change.events[0]?.payload).not.toHaveProperty('denialReason');
  });

  it('H-157 never stores an approval together with a reason', () => {
    for (const denialReason of ['variant', 'skip'] as const) {
      const { decision } = changeOf(decide(PEOPLE.owner, {}, { approved: true, denialReason }));
      expect(decision).toMatchObject({ verdicts: { 'call-set_x': 'approved' }, denialReason: null });
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

  it('H-150 starts at once: there is nothing to take back', () => {
    const change = changeOf(decide(PEOPLE.owner, {}, { approved: false, withdrawWindowMs: 30_000 }));
    expect(change.set.notBeforeAtMs).toBe(10_000);
  });
});

describe('the window in which an approval can be taken back', () => {
  it.each([
    ['as the configuration says', null, 3_000, 13_000],
    ['as the request says', 500, 3_000, 10_500],
    ['none, when the request says 0', 0, 3_000, 10_000],
  ])('withdraw window: is %s', (_name, withdrawWindowMs, configured, notBeforeAtMs) => {
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

import { describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../src-shared/vocabulary.ts';
import { isInitiator, mayActOnRun, seesAllRuns } from '../../src-main/domain/access-rules.ts';
import {
  ANONYMOUS,
  operatorIdOf,
  readActor,
  readGrants,
  type Actor,
  type Operator,
} from '../../src-main/domain/actor.ts';
import { asActor, PEOPLE } from '../support/run-builders.ts';

const ownRun = { initiatorId: PEOPLE.owner.id };
const nobodysRun = { initiatorId: 0 };
const service = (...scopes: Scope[]): Actor => ({ kind: 'service', name: 'bot', scopes });

describe('who may act on a run', () => {
  const APPROVE: [id: string, who: string, actor: Actor, operator: Operator | null, may: Record<string, boolean>][] = [
    ['R-37', 'an administrator', asActor(PEOPLE.admin), PEOPLE.admin, { approve: true, cancel: true, read: true }],
    ['R-43', 'the owner', asActor(PEOPLE.owner), PEOPLE.owner, { approve: true, cancel: true, read: true }],
    [
      'H-345',
      'a holder of the approve grant',
      asActor(PEOPLE.colleague),
      PEOPLE.colleague,
      { approve: true, cancel: false, read: false },
    ],
    ['H-105', 'an outsider', asActor(PEOPLE.outsider), PEOPLE.outsider, { approve: false, cancel: false, read: false }],
    [
      'H-132',
      'a disabled administrator',
      asActor(PEOPLE.disabled),
      PEOPLE.disabled,
      { approve: false, cancel: false, read: false },
    ],
    ['H-132', 'a deleted account', asActor(PEOPLE.owner), null, { approve: false, cancel: false, read: false }],
    [
      'H-350',
      "somebody else's live row",
      asActor(PEOPLE.outsider),
      PEOPLE.admin,
      { approve: false, cancel: false, read: false },
    ],
    ['H-346', 'nobody', ANONYMOUS, null, { approve: false, cancel: false, read: false }],
    [
      'H-347',
      'a service account that may read',
      service('agent:read'),
      null,
      { approve: false, cancel: false, read: true },
    ],
    [
      'R-194',
      'a service account that may cancel',
      service('agent:cancel'),
      null,
      { approve: false, cancel: true, read: false },
    ],
    [
      'R-196',
      'a service account that may approve',
      service('agent:approve'),
      null,
      { approve: true, cancel: false, read: false },
    ],
    ['R-194', 'a service account without scopes', service(), null, { approve: false, cancel: false, read: false }],
    [
      'H-343',
      'a service account beside an administrator row',
      service(),
      PEOPLE.admin,
      { approve: false, cancel: false, read: false },
    ],
  ];
  it.each(APPROVE)('%s says so for %s', (_id, _who, actor, operator, may) => {
    const answers = Object.fromEntries(
      Object.keys(may).map((verb) => [verb, mayActOnRun(actor, operator, ownRun, `agent:${verb}` as Scope)]),
    );
    expect(answers).toEqual(may);
  });

  it('H-343 knows nothing of scopes on a person', () => {
    const stored = { kind: 'operator', operatorId: PEOPLE.outsider.id, scopes: ['agent:approve'] };
    expect(mayActOnRun(stored as unknown as Actor, PEOPLE.outsider, ownRun, 'agent:approve')).toBe(false);
    expect(readActor(stored)).toEqual(asActor(PEOPLE.outsider));
  });

  it.each(SCOPES)('H-346 lets nobody act on a run that nobody owns (%s)', (scope) => {
    expect(mayActOnRun(ANONYMOUS, null, nobodysRun, scope)).toBe(false);
    expect(mayActOnRun(asActor(PEOPLE.outsider), PEOPLE.outsider, nobodysRun, scope)).toBe(false);
  });

  it('H-132 disables the owner at once', () => {
    const disabledOwner = { ...PEOPLE.owner, isEnabled: false };
    expect(mayActOnRun(asActor(PEOPLE.owner), disabledOwner, ownRun, 'agent:read')).toBe(false);
  });

  it('H-349 judges without a grant that was withdrawn', () => {
    const withoutGrant = { ...PEOPLE.colleague, grants: [] };
    expect(mayActOnRun(asActor(PEOPLE.colleague), withoutGrant, ownRun, 'agent:approve')).toBe(false);
  });
});

describe('the initiator', () => {
  it.each([
    ['the owner', asActor(PEOPLE.owner), ownRun, true],
    ['somebody else', asActor(PEOPLE.admin), ownRun, false],
    ['a service account and a run nobody owns', service('agent:approve'), nobodysRun, false],
    ['nobody and a run nobody owns', ANONYMOUS, nobodysRun, false],
  ])('R-197 is told for %s', (_name, actor, run, is) => {
    expect(isInitiator(actor, run)).toBe(is);
  });
});

describe('the viewport of lists', () => {
  it.each([
    ['admin', true],
    ['owner', false],
    ['colleague', true],
    ['disabled', false],
    ['outsider', false],
  ] as const)('H-344 of the %s', (name, all) => {
    expect(seesAllRuns(PEOPLE[name])).toBe(all);
  });
});

describe('a stored actor', () => {
  it.each([
    { kind: 'operator', operatorId: 3 } as const,
    service('agent:cancel', 'agent:read'),
    service(),
    ANONYMOUS,
  ] satisfies Actor[])('R-193 survives the round trip: %j', (actor) => {
    expect(readActor(JSON.parse(JSON.stringify(actor)))).toEqual(actor);
  });

  it.each([
    null,
    undefined,
    'operator',
    7,
    [],
    {},
    { kind: 'admin' },
    { kind: 'operator' },
    { kind: 'operator', operatorId: 0 },
    { kind: 'operator', operatorId: -1 },
    { kind: 'operator', operatorId: '1' },
    { kind: 'operator', operatorId: 1.5 },
    { kind: 'service', scopes: ['agent:approve'] },
  ])('H-342 with garbage is nobody: %j', (stored) => {
    expect(readActor(stored)).toEqual(ANONYMOUS);
    expect(operatorIdOf(readActor(stored))).toBe(0);
  });

  it('H-342 loses unknown scopes and what does not belong to it', () => {
    const stored = {
      kind: 'service',
      name: 'bot',
      scopes: ['agent:read', '*', 'admin', 5],
      operatorId: 1,
      isAdmin: true,
    };
    expect(readActor(stored)).toEqual(service('agent:read'));
    expect(readActor({ kind: 'service', name: 'bot', scopes: 'agent:approve' })).toEqual(service());
  });

  it.each([
    [['agent_approve', 'root'], ['agent_approve']],
    ['agent_approve', []],
    [null, []],
    [{ 0: 'agent_approve' }, []],
  ])('R-193 keeps of the grants %j only known ones', (stored, grants) => {
    expect(readGrants(stored)).toEqual(grants);
  });
});

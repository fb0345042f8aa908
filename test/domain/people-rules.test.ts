import { describe, expect, it } from 'vitest';
import {
  addPerson,
  changePerson,
  hasSecondApprover,
  personNamed,
  personToProve,
  type PeopleFacts,
  type Person,
} from '../../src-main/domain/people-rules.ts';

const person = (id: number, name: string, changes: Partial<Person> = {}): Person => ({
  id,
  name,
  isAdmin: false,
  isEnabled: true,
  grants: [],
  hasAccount: id === 1,
  hasPassphrase: id !== 1,
  ...changes,
});
const ANNA = person(1, 'anna', { isAdmin: true });
const BEN = person(2, 'Ben', { grants: ['agent_approve'] });
const CLEO = person(3, 'Cleo', { isAdmin: true, isEnabled: false });
const PEOPLE = [ANNA, BEN, CLEO];
const by = (operator: Person | null, people = PEOPLE): PeopleFacts => ({ operator, people });
const actorOf = (operatorId: number) => ({ kind: 'operator', operatorId }) as const;
const AS_ANNA = actorOf(1);

const add = (name: string, facts = by(ANNA), actor = AS_ANNA) =>
  addPerson(facts, { actor, name, isAdmin: false, grants: ['agent_approve', 'agent_approve'] });

describe('a new person', () => {
  it('is stored in one form, enabled, with each right once', () => {
    expect(add(' Zoë '.normalize('NFD'))).toEqual({
      ok: true,
      value: { name: 'Zoë'.normalize('NFC'), isAdmin: false, isEnabled: true, grants: ['agent_approve'] },
    });
  });

  it.each([
    ['', 'missing'],
    ['  ', 'missing'],
    ['x'.repeat(65), 'too_long'],
    ['two\nlines', 'invisible'],
    ['two\r\nlines', 'invisible'],
    ['a\ttab', 'invisible'],
    ['turned \u202eround', 'invisible'],
    ['zero\u200bwidth', 'invisible'],
    ['half of a character \ud800', 'invisible'],
    ['bell\u0007', 'invisible'],
    ['BEN', 'name_taken'],
    [' ben ', 'name_taken'],
    ['Ｂｅｎ', 'name_taken'],
    ['cleo', 'name_taken'],
  ])('is not called %j: %s', (name, problem) => {
    expect(add(name)).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_request', problems: [{ field: 'name', problem }] },
    });
  });

  it.each([
    ['nobody', null, actorOf(9), 'operator_unavailable'],
    ['somebody who is switched off', CLEO, actorOf(3), 'operator_unavailable'],
    ['the row of another', ANNA, actorOf(2), 'operator_unavailable'],
    ['who is no administrator', BEN, actorOf(2), 'not_administrator'],
  ])('is not added by %s', (_, operator, actor, kind) => {
    expect(add('Dora', by(operator), actor)).toMatchObject({ refusal: { kind } });
  });
});

describe('a change of a person', () => {
  const change = (name: string, changes: object, facts = by(ANNA), actor = AS_ANNA) =>
    changePerson(facts, { actor, name, isEnabled: null, isAdmin: null, grant: [], revoke: [], ...changes });

  it('says what is not as before', () => {
    expect(change('ben', { grant: ['tasks_use'], revoke: ['agent_approve'], isEnabled: true })).toMatchObject({
      value: { person: { id: 2, name: 'Ben', grants: ['tasks_use'] }, changed: ['grants'] },
    });
    expect(change('Ben', { isAdmin: true, isEnabled: false })).toMatchObject({
      value: { changed: ['isEnabled', 'isAdmin'] },
    });
    expect(change('Ben', { grant: ['agent_approve'] })).toMatchObject({ value: { changed: [] } });
  });

  it.each([{ isEnabled: false }, { isAdmin: false }])('never takes the last administrator away: %j', (changes) => {
    expect(change('anna', changes)).toMatchObject({ refusal: { kind: 'last_administrator' } });
    const two = by(ANNA, [ANNA, BEN, { ...CLEO, isEnabled: true }]);
    expect(change('anna', changes, two)).toMatchObject({ ok: true });
  });

  it('is asked for by an administrator, who alone learns whether there is such a person', () => {
    expect(change('nobody', {})).toMatchObject({ refusal: { kind: 'unknown_person' } });
    for (const name of ['Ben', 'nobody']) {
      expect(change(name, {}, by(BEN), actorOf(2))).toMatchObject({
        refusal: { kind: 'not_administrator' },
      });
    }
  });
});

describe('another passphrase', () => {
  it.each([
    ['an administrator for somebody', ANNA, 'Ben', { value: { id: 2 } }],
    ['a person for themselves', BEN, 'BEN', { value: { id: 2 } }],
    ['a person for another', BEN, 'anna', { refusal: { kind: 'not_administrator' } }],
    ['a person for nobody', BEN, 'nobody', { refusal: { kind: 'not_administrator' } }],
    ['an administrator for nobody', ANNA, 'nobody', { refusal: { kind: 'unknown_person' } }],
    ['somebody who is switched off', CLEO, 'Cleo', { refusal: { kind: 'operator_unavailable' } }],
  ])('is set by %s', (_, operator, name, outcome) => {
    expect(personToProve(by(operator), actorOf(operator.id), name)).toMatchObject(outcome);
  });

  it('is not set with the row of somebody else', () => {
    expect(personToProve(by(BEN), actorOf(3), 'Ben')).toMatchObject({ refusal: { kind: 'operator_unavailable' } });
  });
});

describe('who could be the second person', () => {
  it.each([
    ['one administrator', [ANNA], false],
    ['one and somebody without the right', [ANNA, person(4, 'Dan', { grants: ['tasks_use'] })], false],
    ['one and an administrator who is switched off', [ANNA, CLEO], false],
    ['one and a holder of the right', [ANNA, BEN], true],
    ['two administrators', [ANNA, { ...CLEO, isEnabled: true }], true],
  ])('H-149 of %s', (_, people, isEnough) => {
    expect(hasSecondApprover(people)).toBe(isEnough);
  });

  it('is found by name without regard to case', () => {
    expect(personNamed(PEOPLE, 'BEN')?.id).toBe(2);
    expect(personNamed(PEOPLE, 'Bem')).toBeNull();
  });
});

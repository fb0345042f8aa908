import { hasInvisible } from '../../src-shared/plain-text.ts';
import { accepted, refused, type FieldProblem, type Result } from '../../src-shared/refusals.ts';
import { GRANTS, type Grant } from '../../src-shared/vocabulary.ts';
import { seesAllRuns } from './access-rules.ts';
import { isAdministrator, operatorIdOf, type Actor, type Operator } from './actor.ts';
import { administratorBar } from './connect-rules.ts';
import { canonicalJson } from './digest.ts';

/** A person with how they can show who they are. */
export interface Person extends Operator {
  /** An operating-system account is theirs. */
  hasAccount: boolean;
  hasPassphrase: boolean;
}

/** What is stored at this moment. */
export interface PeopleFacts {
  /** Who asks. */
  operator: Operator | null;
  people: Person[];
}

export interface AddPersonInput {
  actor: Actor;
  name: string;
  isAdmin: boolean;
  grants: Grant[];
}

/** A change of what a person may do; null = as it is. */
export interface ChangePersonInput {
  actor: Actor;
  name: string;
  isEnabled: boolean | null;
  isAdmin: boolean | null;
  grant: Grant[];
  revoke: Grant[];
}

/** A person as they are to be, and what of them is not as before. */
export interface ChangedPerson {
  person: Person;
  changed: ('isEnabled' | 'isAdmin' | 'grants')[];
}

const MAX_NAME = 64;

/** As it is stored: one form for everything that is typed alike. */
const storedName = (name: string): string => name.normalize('NFC').trim();

/** What tells names apart: neither case nor the width of letters does. */
export const foldedName = (name: string): string => name.normalize('NFKC').trim().toUpperCase().toLowerCase();

/** The person of a name; null = nobody's. */
export const personNamed = (people: Person[], name: string): Person | null =>
  people.find((person) => foldedName(person.name) === foldedName(name)) ?? null;

/**
 * A new person, who will show their passphrase; the store gives the id.
 * Refuses: operator_unavailable, not_administrator, invalid_request.
 */
export function addPerson(facts: PeopleFacts, input: AddPersonInput): Result<Omit<Operator, 'id'>> {
  const barred = administratorBar(facts.operator, input.actor);
  if (barred) return barred;
  const problems = nameProblems(facts, input.name);
  if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
  return accepted({
    name: storedName(input.name),
    isAdmin: input.isAdmin,
    isEnabled: true,
    grants: GRANTS.filter((grant) => input.grants.includes(grant)),
  });
}

/** One problem is enough: the first is the one to mend first. */
function nameProblems({ people }: PeopleFacts, given: string): FieldProblem[] {
  const name = storedName(given);
  const field = 'name';
  if (name === '') return [{ field, problem: 'missing' }];
  if (Array.from(name).length > MAX_NAME) return [{ field, problem: 'too_long', limit: MAX_NAME }];
  // Line breaks and tabs are ordinary in texts; a name is one line.
  if (/[\n\r\t]/.test(name) || hasInvisible(name)) return [{ field, problem: 'invisible' }];
  return personNamed(people, name) ? [{ field, problem: 'name_taken' }] : [];
}

/**
 * Changes what a person may do. Somebody who can look after the installation stays.
 * Refuses: operator_unavailable, not_administrator, unknown_person, last_administrator.
 */
export function changePerson(facts: PeopleFacts, input: ChangePersonInput): Result<ChangedPerson> {
  const barred = administratorBar(facts.operator, input.actor);
  if (barred) return barred;
  const before = personNamed(facts.people, input.name);
  if (!before) return refused({ kind: 'unknown_person' });
  const person = {
    ...before,
    isEnabled: input.isEnabled ?? before.isEnabled,
    isAdmin: input.isAdmin ?? before.isAdmin,
    grants: GRANTS.filter(
      (grant) => !input.revoke.includes(grant) && (before.grants.includes(grant) || input.grant.includes(grant)),
    ),
  };
  const others = facts.people.filter(({ id }) => id !== person.id);
  if (![person, ...others].some(isAdministrator)) return refused({ kind: 'last_administrator' });
  const fields = ['isEnabled', 'isAdmin', 'grants'] as const;
  return accepted({
    person,
    changed: fields.filter((field) => canonicalJson(before[field]) !== canonicalJson(person[field])),
  });
}

/**
 * Who may give a person another passphrase: an administrator, and the person themselves, who has proved to be it.
 * Refuses: operator_unavailable, not_administrator, unknown_person.
 */
export function personToProve({ operator, people }: PeopleFacts, actor: Actor, name: string): Result<Person> {
  const person = personNamed(people, name);
  const isOwn = operator?.isEnabled === true && operator.id === operatorIdOf(actor) && operator.id === person?.id;
  const barred = isOwn ? null : administratorBar(operator, actor);
  if (barred) return barred;
  return person ? accepted(person) : refused({ kind: 'unknown_person' });
}

/** Whether enough people could approve for one of them to be a second one. Source: human-decisions.md LIM-20. */
export const hasSecondApprover = (people: Operator[]): boolean => people.filter(seesAllRuns).length >= 2;

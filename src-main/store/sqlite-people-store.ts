import { accepted, refused } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor } from '../domain/actor.ts';
import {
  addPerson,
  changePerson,
  foldedName,
  personNamed,
  personToProve,
  type PeopleFacts,
  type Person,
} from '../domain/people-rules.ts';
import { REMEMBERED_MS, waitBeforeProof, type Proof } from '../domain/proof-rules.ts';
import { SealBrokenError } from '../domain/sealed-faults.ts';
import type { Sealer } from '../system/seal.ts';
import { appendInstallationEvent } from './installation-log.ts';
import { listPeople, loadOperator, readProof, saveOperator, saveProof, saveRights } from './operator-store.ts';
import type { PeopleStore } from './people-store.ts';
import type { Statements } from './statements.ts';
import type { WriteQueue } from './write-queue.ts';

/** People and their proofs on one file. `onSaved` is called after the commit of a change. */
export function createPeopleStore(
  statements: Statements,
  sealer: Sealer,
  queue: WriteQueue,
  onSaved: () => void,
): PeopleStore {
  return {
    people: async () => listPeople(statements, sealer),

    async addPerson(input, proof, nowMs) {
      const result = await queue.run(() => {
        const judged = addPerson(peopleFacts(statements, sealer, input.actor), input);
        if (!judged.ok) return judged;
        const id = 1 + (statements.get('select coalesce(max(id), 0) from operators').pluck().get() as number);
        const person = { ...judged.value, id, hasAccount: false, hasPassphrase: true };
        saveOperator(statements, sealer, { ...person, osAccount: null }, nowMs);
        saveProof(statements, sealer, id, proof);
        recordPerson(statements, input.actor, person, ['added'], nowMs);
        return accepted(person);
      });
      if (result.ok) onSaved();
      return result;
    },

    async changePerson(input, nowMs) {
      const result = await queue.run(() => {
        const judged = changePerson(peopleFacts(statements, sealer, input.actor), input);
        if (!judged.ok || judged.value.changed.length === 0) return judged;
        const { person, changed } = judged.value;
        saveRights(statements, sealer, person);
        recordPerson(statements, input.actor, person, changed, nowMs);
        return judged;
      });
      if (result.ok && result.value.changed.length > 0) onSaved();
      return result;
    },

    async setProof({ actor, name }, proof, nowMs) {
      const result = await queue.run(() => {
        const judged = personToProve(peopleFacts(statements, sealer, actor), actor, name);
        if (!judged.ok) return judged;
        const person = { ...judged.value, hasPassphrase: true };
        saveProof(statements, sealer, person.id, proof);
        forgetFailures(statements, nameDigest(sealer, name));
        recordPerson(statements, actor, person, ['passphrase'], nowMs);
        return accepted(person);
      });
      if (result.ok) onSaved();
      return result;
    },

    ...createProofs(statements, sealer, queue),
  };
}

/** Who tries to prove to be somebody, and how often it failed. */
function createProofs(
  statements: Statements,
  sealer: Sealer,
  queue: WriteQueue,
): Pick<PeopleStore, 'beginProof' | 'settleProof'> {
  return {
    beginProof: (name, nowMs) =>
      queue.run(() => {
        const digest = nameDigest(sealer, name);
        statements.get('delete from failed_proofs where at_ms <= ?').run(nowMs - REMEMBERED_MS);
        const waitMs = waitBeforeProof(failuresOf(statements, digest), countFailures(statements), nowMs);
        if (waitMs > 0) return refused({ kind: 'too_many_attempts', waitMs });
        statements.get('insert into failed_proofs (name_digest, at_ms) values (?, ?)').run(digest, nowMs);
        const person = personNamed(listPeople(statements, sealer), name);
        return accepted({ personId: person?.id ?? 0, proof: person && proofOf(statements, sealer, person) });
      }),

    settleProof: ({ name, personId, isRight, accountId }, nowMs) =>
      queue.run(() => {
        const person = loadOperator(statements, sealer, personId);
        if (isRight && person?.isEnabled) {
          forgetFailures(statements, nameDigest(sealer, name));
          return accepted(person);
        }
        appendInstallationEvent(statements, 'proof_refused', { operatorId: accountId, personId }, nowMs);
        return accepted(null);
      }),
  };
}

function peopleFacts(statements: Statements, sealer: Sealer, actor: Actor): PeopleFacts {
  return {
    operator: loadOperator(statements, sealer, operatorIdOf(actor)),
    people: listPeople(statements, sealer),
  };
}

/** A passphrase that somebody moved here, or that was damaged, fits nothing. */
function proofOf(statements: Statements, sealer: Sealer, { id }: Person): Proof | null {
  try {
    return readProof(statements, sealer, id);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

const nameDigest = (sealer: Sealer, name: string): string => sealer.mac(`failed-proof/1:${foldedName(name)}`);

const failuresOf = (statements: Statements, digest: string): number[] =>
  statements
    .get('select at_ms from failed_proofs where name_digest = ? order by at_ms')
    .pluck()
    .all(digest) as number[];

const countFailures = (statements: Statements): number =>
  statements.get('select count(*) from failed_proofs').pluck().get() as number;

const forgetFailures = (statements: Statements, digest: string): void =>
  void statements.get('delete from failed_proofs where name_digest = ?').run(digest);

/** Keeps in the record who changed what of whom, and what that person may do from now on; never a passphrase. */
function recordPerson(
  statements: Statements,
  actor: Actor,
  { id, name, isAdmin, isEnabled, grants }: Person,
  changed: string[],
  nowMs: number,
): void {
  const payload = { operatorId: operatorIdOf(actor), personId: id, name, isAdmin, isEnabled, grants, changed };
  appendInstallationEvent(statements, 'person_changed', payload, nowMs);
}

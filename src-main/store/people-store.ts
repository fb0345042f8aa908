import type { Result } from '../../src-shared/refusals.ts';
import type { Actor, Operator } from '../domain/actor.ts';
import type { AddPersonInput, ChangedPerson, ChangePersonInput, Person } from '../domain/people-rules.ts';
import type { Proof } from '../domain/proof-rules.ts';

/** What a passphrase that was given is to be compared with. */
export interface ProofQuestion {
  /** 0 = nobody has that name. */
  personId: number;
  /** Null = there is nothing that could fit. */
  proof: Proof | null;
}

/** What a comparison came to. */
export interface ProofAnswer {
  name: string;
  personId: number;
  isRight: boolean;
  /** Whose operating-system account it was tried from. */
  accountId: number;
}

/** The people of an installation and their proofs. Each write is one transaction, judged on fresh rows and audited. */
export interface PeopleStore {
  people(): Promise<Person[]>;
  /** Refuses: what `addPerson` refuses; store_busy. */
  addPerson(input: AddPersonInput, proof: Proof, nowMs: number): Promise<Result<Person>>;
  /** Refuses: what `changePerson` refuses; store_busy. */
  changePerson(input: ChangePersonInput, nowMs: number): Promise<Result<ChangedPerson>>;
  /** Another passphrase; failed proofs of the name are forgotten. Refuses: what `personToProve` refuses; store_busy. */
  setProof(input: { actor: Actor; name: string }, proof: Proof, nowMs: number): Promise<Result<Person>>;
  /**
   * Begins a proof and counts it as failed until `settleProof` says that it did not: so any number of processes have
   * five tries together. Refuses: too_many_attempts, store_busy.
   */
  beginProof(name: string, nowMs: number): Promise<Result<ProofQuestion>>;
  /** The person who proved to be it; null = nobody, which is kept in the record. Refuses: store_busy. */
  settleProof(answer: ProofAnswer, nowMs: number): Promise<Result<Operator | null>>;
}

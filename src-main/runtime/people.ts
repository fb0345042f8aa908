/*
 * The people of an installation: who they are, what they may do, and how one who has no
 * operating-system account shows who they are. Who may is judged on live rows; how a
 * passphrase is kept and compared comes in as ports.
 */
import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { operatorIdOf, type Actor, type Operator } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import {
  foldedName,
  hasSecondApprover,
  type AddPersonInput,
  type ChangedPerson,
  type ChangePersonInput,
  type Person,
} from '../domain/people-rules.ts';
import { passphraseProblems, type Proof } from '../domain/proof-rules.ts';
import type { RunStore } from '../store/run-store.ts';

export interface PeoplePorts {
  store: RunStore;
  clock: Clock;
  makeProof(passphrase: string): Promise<Proof>;
  /** Takes as long for null, which nothing matches. */
  matchesProof(passphrase: string, proof: Proof | null): Promise<boolean>;
}

export class People {
  readonly #ports: PeoplePorts;

  constructor(ports: PeoplePorts) {
    this.#ports = ports;
  }

  /** Everybody, for people who may use the installation. Refuses: operator_unavailable. */
  async list(actor: Actor): Promise<Result<Person[]>> {
    const { store } = this.#ports;
    const operator = await store.operator(operatorIdOf(actor));
    return operator?.isEnabled ? accepted(await store.people()) : refused({ kind: 'operator_unavailable' });
  }

  /** Refuses: see `addPerson`; invalid_request; store_busy. */
  async add(actor: Actor, wanted: Omit<AddPersonInput, 'actor'>, passphrase: string): Promise<Result<Person>> {
    const { store, clock } = this.#ports;
    const proof = await this.#newProof(passphrase);
    return proof.ok ? store.addPerson({ ...wanted, actor }, proof.value, clock.nowMs()) : proof;
  }

  /** Refuses: see `changePerson`; store_busy. */
  change(actor: Actor, wanted: Omit<ChangePersonInput, 'actor'>): Promise<Result<ChangedPerson>> {
    const { store, clock } = this.#ports;
    return store.changePerson({ ...wanted, actor }, clock.nowMs());
  }

  /** Refuses: see `personToProve`; invalid_request; store_busy. */
  async setPassphrase(actor: Actor, name: string, passphrase: string): Promise<Result<Person>> {
    const { store, clock } = this.#ports;
    const proof = await this.#newProof(passphrase);
    return proof.ok ? store.setProof({ actor, name }, proof.value, clock.nowMs()) : proof;
  }

  /**
   * The person of a name, once they have shown that they are it. `account` is the person of the operating-system
   * account, who needs no proof for themselves.
   * Refuses: proof_refused; too_many_attempts; store_busy.
   */
  async prove(account: Actor, name: string, askPassphrase: () => Promise<string>): Promise<Result<Operator>> {
    const { store, clock, matchesProof } = this.#ports;
    const accountId = operatorIdOf(account);
    const own = await store.operator(accountId);
    if (own?.isEnabled && foldedName(own.name) === foldedName(name)) return accepted(own);
    const passphrase = await askPassphrase();
    const question = await store.beginProof(name, clock.nowMs());
    if (!question.ok) return question;
    const { personId, proof } = question.value;
    const isRight = await matchesProof(passphrase, proof);
    const settled = await store.settleProof({ name, personId, isRight, accountId }, clock.nowMs());
    if (!settled.ok) return settled;
    return settled.value ? accepted(settled.value) : refused({ kind: 'proof_refused' });
  }

  /** Whether a second person could approve at all. */
  async hasSecondApprover(): Promise<boolean> {
    return hasSecondApprover(await this.#ports.store.people());
  }

  async #newProof(passphrase: string): Promise<Result<Proof>> {
    const problems = passphraseProblems(passphrase);
    if (problems.length > 0) return refused({ kind: 'invalid_request', problems });
    return accepted(await this.#ports.makeProof(passphrase));
  }
}

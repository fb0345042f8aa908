import { digestRow } from '../domain/digest.ts';
import type { Sealer } from '../system/seal.ts';
import { createSigningKey, openSigner, type signatureCheck, type Signer } from '../system/signing-key.ts';
import { CHAIN_START } from './event-log.ts';
import type { Statements } from './statements.ts';

/** A head as hashed: which run stood at which event when somebody decided or the run ended, and the head before. */
export type HeadRow = {
  number: number;
  run_id: string;
  sequence: number;
  event_hash: string;
  at_ms: number;
  change_seq: number;
  change_hash: string;
  previous_hash: string;
};

/** A head that can be kept elsewhere and checked on its own. */
export type SignedHead = HeadRow & { hash: string; signature: string };

/** Where the chain of heads ends. */
export interface LastHead {
  number: number;
  hash: string;
}

/**
 * Kinds of change that get a head: a person's decision, and the end of a run. Source: issue D "Signed chain heads".
 */
export const HEAD_KINDS: readonly string[] = ['decided', 'ended'];

export const hashHead = (row: HeadRow): string => digestRow('head/1:', row);

/** The text a signature covers; says what it is, so that it can be taken for nothing else. */
const signedText = (hash: string): string => `countersign signed-head/1: ${hash}`;

export function lastHead(statements: Statements): LastHead | null {
  const row = statements.get('select number, hash from heads order by number desc limit 1').get();
  return (row as LastHead | undefined) ?? null;
}

/** Appends the head of a change that was just appended; `change` is its row, hash included. */
export function appendHead(
  statements: Statements,
  sealer: Sealer,
  change: { seq: number; run_id: string; last_sequence: number; last_hash: string; at_ms: number; hash: string },
): void {
  const last = lastHead(statements);
  const row: HeadRow = {
    number: (last?.number ?? 0) + 1,
    run_id: change.run_id,
    sequence: change.last_sequence,
    event_hash: change.last_hash,
    at_ms: change.at_ms,
    change_seq: change.seq,
    change_hash: change.hash,
    previous_hash: last?.hash ?? CHAIN_START,
  };
  const hash = hashHead(row);
  statements
    .get(
      `insert into heads (number, change_seq, previous_hash, hash, signature)
       values (:number, :change_seq, :previous_hash, :hash, :signature)`,
    )
    .run({
      number: row.number,
      change_seq: row.change_seq,
      previous_hash: row.previous_hash,
      hash,
      signature: installationSigner(statements, sealer).sign(signedText(hash)).toString('base64url'),
    });
}

/** Heads after a number, in order, with what they sign read from the change each of them names. */
export function headsAfter(statements: Statements, number: number): IterableIterator<SignedHead> {
  return statements.database
    .prepare(
      `select number, run_id, last_sequence as sequence, last_hash as event_hash, at_ms, change_seq,
         changes.hash as change_hash, heads.previous_hash, heads.hash, signature
       from heads join changes on seq = change_seq where number > ? order by number`,
    )
    .iterate(number) as IterableIterator<SignedHead>;
}

/** What is wrong with a head by itself: its content, then its signature; null = nothing. */
export function headProblem(
  { hash, signature, ...row }: SignedHead,
  isSigned: ReturnType<typeof signatureCheck>,
): string | null {
  if (hashHead(row) !== hash) return 'its content was changed';
  return isSigned(signedText(hash), signature) ? null : 'its signature is not ours';
}

export const SIGNING_KEY_PLACE = 'signing_key.sealed/1';
const opened = new WeakMap<Sealer, Signer>();

/**
 * Who signs for this installation; the key pair is made with the first signature, inside the caller's transaction. Asked
 * of the row each time, so that a pair whose transaction was rolled back never signs.
 * Faults: `SealBrokenError`; when the stored public half does not belong to the sealed one.
 */
export function installationSigner(statements: Statements, sealer: Sealer): Signer {
  const row = statements.get('select public_key as publicKey, sealed from signing_key where id = 1').get() as
    { publicKey: string; sealed: Buffer } | undefined;
  const known = opened.get(sealer);
  if (row && known?.publicKey === row.publicKey) return known;
  const signer = openSigner(row ? readKey(sealer, row) : makeKey(statements, sealer));
  opened.set(sealer, signer);
  return signer;
}

/** What others check signatures with; null before the first signature. */
export const installationPublicKey = (statements: Statements): string | null =>
  (statements.get('select public_key from signing_key').pluck().get() as string | undefined) ?? null;

const readKey = (sealer: Sealer, { publicKey, sealed }: { publicKey: string; sealed: Buffer }) => ({
  publicKey,
  privateKey: sealer.open(SIGNING_KEY_PLACE, sealed) as string,
});

function makeKey(statements: Statements, sealer: Sealer) {
  const { publicKey, privateKey } = createSigningKey();
  statements
    .get('insert into signing_key (id, public_key, sealed) values (1, ?, ?)')
    .run(publicKey, sealer.seal(SIGNING_KEY_PLACE, privateKey));
  return { publicKey, privateKey };
}

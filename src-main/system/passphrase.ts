import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { samePassphrase, type Proof } from '../domain/proof-rules.ts';

/** As for the key file: about 0.1 s and 64 MiB a guess on a present workstation. */
const PARAMETERS = { cost: 2 ** 16, blockSize: 8, parallelization: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** What a passphrase can be compared with later. */
export async function makeProof(passphrase: string): Promise<Proof> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(passphrase, salt, PARAMETERS);
  return { v: 1, ...PARAMETERS, salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/** Nobody's: comparing with it takes as long as with anybody's and never succeeds. */
const NOBODY: Proof = { v: 1, ...PARAMETERS, salt: Buffer.alloc(SALT_BYTES).toString('base64'), hash: '' };

/** Whether the passphrase is the one of the proof; null = there is none, which takes as long to say. */
export async function matchesProof(passphrase: string, proof: Proof | null): Promise<boolean> {
  const compared = proof ?? NOBODY;
  const found = await derive(passphrase, Buffer.from(compared.salt, 'base64'), compared);
  const hash = Buffer.from(compared.hash, 'base64');
  return hash.length === found.length && timingSafeEqual(hash, found);
}

function derive(
  passphrase: string,
  salt: Buffer,
  { cost, blockSize, parallelization }: Pick<Proof, 'cost' | 'blockSize' | 'parallelization'>,
): Promise<Buffer> {
  const options = { cost, blockSize, parallelization, maxmem: 256 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(samePassphrase(passphrase), salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

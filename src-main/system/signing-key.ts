import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** An Ed25519 key pair as text: 32 bytes each, base64url. The private half is a secret. */
export interface SigningKey {
  publicKey: string;
  privateKey: string;
}

/** Signs for an installation, so that somebody who has only the public key can check it. */
export interface Signer {
  publicKey: string;
  /** Base64url, 64 bytes; the same text always has the same signature. */
  sign(text: string): string;
}

export function createSigningKey(): SigningKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { publicKey: x as string, privateKey: d as string };
}

/** Faults: when the halves are no key pair. */
export function openSigner({ publicKey, privateKey }: SigningKey): Signer {
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: privateKey }, format: 'jwk' });
  return { publicKey, sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64url') };
}

/** Answers whether a text was signed with the private half of `publicKey`. Faults: when that is no key. */
export function signatureCheck(publicKey: string): (text: string, signature: string) => boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return (text, signature) => verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64url'));
}

/** Whether a text can be a public key: 32 bytes, base64url. */
export const isPublicKey = (text: string): boolean => /^[\w-]{43}$/.test(text);

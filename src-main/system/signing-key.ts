import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** An Ed25519 key pair as text: 32 bytes each, hex, so that a key can be typed as a word. The private half is a secret. */
export interface SigningKey {
  publicKey: string;
  privateKey: string;
}

/** Signs for an installation, so that somebody who has only the public key can check it. */
export interface Signer {
  publicKey: string;
  /** 64 bytes; the same text always has the same signature. */
  sign(text: string): Buffer;
}

/** What the key formats of the web call the curve. */
const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const;
const toHex = (base64url = ''): string => Buffer.from(base64url, 'base64url').toString('hex');
const toBase64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');

export function createSigningKey(): SigningKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { publicKey: toHex(x), privateKey: toHex(d) };
}

/** Faults: when the halves are no key pair. */
export function openSigner({ publicKey, privateKey }: SigningKey): Signer {
  const jwk = { ...CURVE, x: toBase64url(publicKey), d: toBase64url(privateKey) };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return { publicKey, sign: (text) => sign(null, Buffer.from(text, 'utf8'), key) };
}

/** Answers whether a text was signed with the private half of `publicKey`; the signature is base64url. Faults: when that is no key. */
export function signatureCheck(publicKey: string): (text: string, signature: string) => boolean {
  const key = createPublicKey({ key: { ...CURVE, x: toBase64url(publicKey) }, format: 'jwk' });
  return (text, signature) => verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64url'));
}

/** Whether a text can be a public key. */
export const isPublicKey = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

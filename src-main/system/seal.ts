import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { SealBrokenError } from '../domain/sealed-faults.ts';

const MARKER = 0xc1;
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/**
 * Seals and opens values at rest, and signs the head of the audit chain.
 * Each value has a fresh key of its own, wrapped by the data key, so that changing
 * the data key rewraps 60 bytes a value and never touches a payload. `place`
 * (table, column, run id, revision) is authenticated: a value moved elsewhere does
 * not open.
 * Source: runtime.md §16.4; architecture.md §3 "Keys".
 */
export interface Sealer {
  seal(place: string, value: unknown): Buffer;
  /** Faults: `SealBrokenError`. */
  open(place: string, sealed: Buffer): unknown;
  /** Keyed digest of the chain's head, hex: who edits the file without the key cannot make one. */
  mac(text: string): string;
  /** Identifies the key without revealing it; kept in the database to notice a wrong key at once. */
  keyCheck(): string;
}

const derive = (dataKey: Buffer, purpose: 'wrap' | 'chain'): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, Buffer.alloc(0), `countersign/1:${purpose}`, KEY_BYTES));

export function createSealer(dataKey: Buffer): Sealer {
  const wrappingKey = derive(dataKey, 'wrap');
  const chainKey = derive(dataKey, 'chain');
  const random = randomSource();
  const mac = (text: string): string => createHmac('sha256', chainKey).update(text).digest('hex');
  return {
    seal(place, value) {
      const valueKey = random(KEY_BYTES);
      const text = Buffer.from(JSON.stringify(value), 'utf8');
      return Buffer.concat([
        Buffer.from([MARKER, VERSION]),
        encrypt(wrappingKey, random(NONCE_BYTES), `key:${place}`, valueKey),
        encrypt(valueKey, random(NONCE_BYTES), `value:${place}`, text),
      ]);
    },
    open(place, sealed) {
      try {
        const valueKey = unwrap(wrappingKey, place, sealed);
        return JSON.parse(
          decrypt(valueKey, `value:${place}`, sealed.subarray(2 + WRAPPED_BYTES)).toString('utf8'),
        ) as unknown;
      } catch {
        // Whatever node:crypto says about it would only describe the ciphertext; the caller needs one kind of error.
        throw new SealBrokenError(place);
      }
    },
    mac,
    keyCheck: () => mac('key-check'),
  };
}

/** Puts the key of a sealed value under another data key; the value itself is neither opened nor changed. */
export type Rewrap = (place: string, sealed: Buffer) => Buffer;

/** Faults of what it returns: `SealBrokenError`. */
export function createRewrap(from: Buffer, to: Buffer): Rewrap {
  const [opening, closing] = [derive(from, 'wrap'), derive(to, 'wrap')];
  return (place, sealed) => {
    let valueKey: Buffer;
    try {
      valueKey = unwrap(opening, place, sealed);
    } catch {
      // As in `open`: one kind of error, which describes nothing of the ciphertext.
      throw new SealBrokenError(place);
    }
    return Buffer.concat([
      sealed.subarray(0, 2),
      encrypt(closing, randomBytes(NONCE_BYTES), `key:${place}`, valueKey),
      sealed.subarray(2 + WRAPPED_BYTES),
    ]);
  };
}

/** The key of one value. */
function unwrap(wrappingKey: Buffer, place: string, sealed: Buffer): Buffer {
  if (sealed[0] !== MARKER || sealed[1] !== VERSION) throw new SealBrokenError(place);
  return decrypt(wrappingKey, `key:${place}`, sealed.subarray(2, 2 + WRAPPED_BYTES));
}

/**
 * Random bytes, each given out once. Drawn in bulk: a call to the system's generator takes about as long as sealing
 * a small value.
 */
function randomSource(): (bytes: number) => Buffer {
  let drawn: Buffer = Buffer.alloc(0);
  return (bytes) => {
    if (drawn.length < bytes) drawn = randomBytes(4_096);
    const taken = drawn.subarray(0, bytes);
    drawn = drawn.subarray(bytes);
    return taken;
  };
}

/** `nonce` is fresh for every call: one used twice under a key would give both texts away. */
function encrypt(key: Buffer, nonce: Buffer, associated: string, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated, 'utf8'));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

function decrypt(key: Buffer, associated: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated, 'utf8')).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
}

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The key cannot be had. The message is for the person and says what to do. */
export class KeyUnavailableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyUnavailableError';
  }
}

/** How the data key is kept: as it is (visible to whoever can read the file), or wrapped by a passphrase. */
export type KeyProtection = 'none' | 'passphrase';

interface KeyFile {
  v: 1;
  protection: KeyProtection;
  /** Base64: the key itself, or nonce, ciphertext and tag. */
  key: string;
  salt?: string;
}

const KEY_BYTES = 32;
/** About 0.1 s and 64 MiB a guess on a present workstation. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/**
 * The data key of an installation; made on first use. The way it is kept is chosen
 * once, when the file is made, and never lowered silently: a wrapped key without its
 * passphrase fails closed. `mayCreate` is false when the database already holds
 * sealed values: then a missing file is a fault, never a new key.
 * Faults: `KeyUnavailableError`.
 * Source: architecture.md §3 "Keys"; docs/decisions/0008.
 */
export function loadDataKey(
  path: string,
  passphrase: string | null,
  mayCreate: boolean,
): { key: Buffer; protection: KeyProtection } {
  if (!existsSync(path)) {
    if (!mayCreate) {
      throw new KeyUnavailableError(
        `The key file ${path} is missing. Put it back from a backup, or rebuild it with: npm run -s cli -- key --restore CODE`,
      );
    }
    createKeyFile(path, randomBytes(KEY_BYTES), passphrase);
  }
  return openKeyFile(path, passphrase);
}

function openKeyFile(path: string, passphrase: string | null): { key: Buffer; protection: KeyProtection } {
  const file = parseKeyFile(path);
  if (file.protection === 'none') return { key: Buffer.from(file.key, 'base64'), protection: 'none' };
  if (!passphrase) {
    throw new KeyUnavailableError(
      'The key is protected by a passphrase. Give it in COUNTERSIGN_PASSPHRASE and start again.',
    );
  }
  const sealed = Buffer.from(file.key, 'base64');
  const wrapping = scryptSync(passphrase.normalize('NFC'), Buffer.from(file.salt ?? '', 'base64'), KEY_BYTES, SCRYPT);
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrapping, sealed.subarray(0, 12)).setAuthTag(
      sealed.subarray(12 + KEY_BYTES),
    );
    return {
      key: Buffer.concat([decipher.update(sealed.subarray(12, 12 + KEY_BYTES)), decipher.final()]),
      protection: 'passphrase',
    };
  } catch {
    // The cipher only says "cannot authenticate": to a person that is a wrong passphrase or a damaged file.
    throw new KeyUnavailableError(
      'The passphrase does not open the key. Check COUNTERSIGN_PASSPHRASE; nothing was changed.',
    );
  }
}

function parseKeyFile(path: string): KeyFile {
  const problem = new KeyUnavailableError(
    `The key file ${path} is damaged. Put it back from a backup; nothing was changed.`,
  );
  let file: Partial<KeyFile>;
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFile>;
  } catch (error) {
    problem.cause = error;
    throw problem;
  }
  const length = Buffer.from(file.key ?? '', 'base64').length;
  const isWhole =
    file.protection === 'passphrase'
      ? length === 12 + KEY_BYTES + 16
      : file.protection === 'none' && length === KEY_BYTES;
  if (file.v !== 1 || !isWhole) throw problem;
  return file as KeyFile;
}

/**
 * Writes a key file, whole or not at all, readable by its owner only. When two starts
 * make one at once, the first stays and the second uses it.
 */
export function createKeyFile(path: string, key: Buffer, passphrase: string | null): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  writeSync(descriptor, JSON.stringify(passphrase ? wrap(key, passphrase) : plain(key)));
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
}

/** Beside the key file while the data key changes: the key that takes over with the commit of the database. */
export const nextKeyPath = (path: string): string => `${path}.next`;

/** Puts a new key beside the one in use, on the disk before it returns; what an earlier change left there goes. */
export function writeNextKey(path: string, key: Buffer, passphrase: string | null): void {
  rmSync(nextKeyPath(path), { force: true });
  createKeyFile(nextKeyPath(path), key, passphrase);
  syncFolder(path);
}

/** The key that was to take over; null = none is there. Faults: `KeyUnavailableError`. */
export function readNextKey(path: string, passphrase: string | null): ReturnType<typeof openKeyFile> | null {
  return existsSync(nextKeyPath(path)) ? openKeyFile(nextKeyPath(path), passphrase) : null;
}

/** The new key takes the place of the old one, in one step. */
export function takeNextKey(path: string): void {
  try {
    renameSync(nextKeyPath(path), path);
  } catch (error) {
    // Another start that found the change cut short has done it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  syncFolder(path);
}

/** A new name is on the disk only with its folder. Windows has no such call, and needs none. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(dirname(path), 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const plain = (key: Buffer): KeyFile => ({ v: 1, protection: 'none', key: key.toString('base64') });

function wrap(key: Buffer, passphrase: string): KeyFile {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const wrapping = scryptSync(passphrase.normalize('NFC'), salt, KEY_BYTES, SCRYPT);
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce);
  const sealed = Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  return { v: 1, protection: 'passphrase', key: sealed.toString('base64'), salt: salt.toString('base64') };
}

/** The recovery code: the key in groups a person can write down. Whoever has it can open everything. */
export function recoveryCode(key: Buffer): string {
  return (key.toString('hex').match(/.{8}/g) ?? []).join('-');
}

/** Faults: `KeyUnavailableError` when the text is no recovery code. */
export function keyFromRecoveryCode(code: string): Buffer {
  const digits = code.replaceAll(/[\s-]/g, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) {
    throw new KeyUnavailableError(
      'That is no recovery code: it has eight groups of eight characters, 0 to 9 and a to f.',
    );
  }
  return Buffer.from(digits, 'hex');
}

import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Operator } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import {
  createKeyFile,
  KeyUnavailableError,
  loadDataKey,
  readNextKey,
  takeNextKey,
  type KeyProtection,
} from '../system/key-file.ts';
import type { OsAccount } from '../system/os-account.ts';
import type { InstallationPaths } from '../system/paths.ts';
import { createSealer, type Sealer } from '../system/seal.ts';
import { openConnection, patiently } from './connection.ts';
import { noticeCopy } from './epoch.ts';
import { keepMeta, readMeta } from './meta-store.ts';
import { ensureOperator } from './operator-store.ts';
import type { RunStore } from './run-store.ts';
import { createSqliteRunStore } from './sqlite-run-store.ts';
import { Statements } from './statements.ts';

/** An opened installation: its file, its key and who sits in front of it. */
export interface Installation {
  paths: InstallationPaths;
  store: RunStore;
  statements: Statements;
  sealer: Sealer;
  dataKey: Buffer;
  keyProtection: KeyProtection;
  /** The person of this operating-system account; null = not known here. */
  operator: Operator | null;
  close(): void;
}

/**
 * Opens or creates an installation for a person: database, data key, operator. The
 * first account to open a new file becomes its administrator.
 * Faults: `KeyUnavailableError`; `NewerDatabaseError`; whatever the disk says.
 */
export function openInstallation(
  paths: InstallationPaths,
  options: { passphrase: string | null; account: OsAccount; clock: Clock },
): Installation {
  mkdirSync(dirname(paths.database), { recursive: true, mode: 0o700 });
  // Only the database says whether sealed values exist: with one, a missing key is never replaced by a new key.
  const isNew = !existsSync(paths.database);
  // SQLite gives its side files the mode of the database.
  if (isNew) closeSync(openSync(paths.database, 'a', 0o600));
  const statements = new Statements(openConnection(paths.database));
  try {
    mkdirSync(paths.workers, { recursive: true, mode: 0o700 });
    const { key, protection } = dataKeyOf(statements, paths, options.passphrase, isNew);
    const opened = withKey(statements, key, options.clock);
    refuseWeakerKey(statements, protection);
    const operator = patiently(statements.database, () =>
      ensureOperator(statements, opened.sealer, options.account, options.clock.nowMs()),
    );
    noticeCopy(statements, opened.sealer, paths, options.clock);
    return { ...opened, paths, keyProtection: protection, operator };
  } catch (error) {
    statements.database.close();
    throw error;
  }
}

/**
 * The key this database is sealed with: the one in its file, or the one that was to take
 * over, when a change of keys was cut short after the commit and before the files followed.
 */
function dataKeyOf(
  statements: Statements,
  { key: path }: InstallationPaths,
  passphrase: string | null,
  isNew: boolean,
): ReturnType<typeof loadDataKey> {
  const check = isNew ? null : readMeta(statements, KEY_CHECK);
  const loaded = loadDataKey(path, passphrase, check === null);
  if (check === null || createSealer(loaded.key).keyCheck() === check) return loaded;
  const next = readNextKey(path, passphrase);
  if (!next || createSealer(next.key).keyCheck() !== check) return loaded;
  takeNextKey(path);
  return next;
}

/** Opens an installation with a key that is already at hand: a worker, told by its host. */
export function joinInstallation(
  databasePath: string,
  dataKey: Buffer,
  clock: Clock,
): Omit<Installation, 'paths' | 'keyProtection' | 'operator'> {
  const statements = new Statements(openConnection(databasePath));
  try {
    return withKey(statements, dataKey, clock);
  } catch (error) {
    statements.database.close();
    throw error;
  }
}

/**
 * Rebuilds a lost key file from the key itself, after proving that the database was
 * made with it: a wrong code leaves no file behind.
 * Faults: `KeyUnavailableError`.
 */
export function restoreKeyFile(paths: InstallationPaths, dataKey: Buffer, passphrase: string | null): void {
  if (!existsSync(paths.database))
    throw new KeyUnavailableError(`There is no database ${paths.database} to restore a key for.`);
  const statements = new Statements(openConnection(paths.database));
  try {
    if (readMeta(statements, KEY_CHECK) !== createSealer(dataKey).keyCheck()) {
      throw new KeyUnavailableError('This recovery code belongs to another database. Nothing was changed.');
    }
    if (readMeta(statements, KEY_PROTECTION) === 'passphrase' && !passphrase) throw new KeyUnavailableError(WEAKER_KEY);
  } finally {
    statements.database.close();
  }
  createKeyFile(paths.key, dataKey, passphrase);
}

const KEY_PROTECTION = 'key_protection';

/** The way the key is kept was chosen at first start; an unprotected file in place of a protected one is refused, not used. */
function refuseWeakerKey(statements: Statements, protection: KeyProtection): void {
  const chosen = patiently(statements.database, () => keepMeta(statements, KEY_PROTECTION, protection));
  if (chosen === 'passphrase' && protection === 'none') throw new KeyUnavailableError(WEAKER_KEY);
}

const WEAKER_KEY =
  'The key of this installation was protected by a passphrase. Set COUNTERSIGN_PASSPHRASE and try again; an unprotected key file is not used.';

/** Under which name the database keeps what tells its key from others. */
export const KEY_CHECK = 'key_check';

function withKey(
  statements: Statements,
  dataKey: Buffer,
  clock: Clock,
): Omit<Installation, 'paths' | 'keyProtection' | 'operator'> {
  const sealer = createSealer(dataKey);
  const kept = patiently(statements.database, () => keepMeta(statements, KEY_CHECK, sealer.keyCheck()));
  if (kept !== sealer.keyCheck()) {
    throw new KeyUnavailableError(
      'The key does not belong to this database. Put the right key file back, or rebuild it with: npm run -s cli -- key --restore CODE',
    );
  }
  const store = createSqliteRunStore(statements.database, sealer, clock);
  return { statements, sealer, dataKey, store, close: () => store.close() };
}

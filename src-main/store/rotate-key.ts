import { accepted, refused, type Result } from '../../src-shared/refusals.ts';
import { isAdministrator } from '../domain/actor.ts';
import { SealBrokenError } from '../domain/sealed-faults.ts';
import { createRewrap, createSealer, type Rewrap, type Sealer } from '../system/seal.ts';
import { proveHead, signHead } from './change-log.ts';
import { CONFIGURATION_COLUMNS } from './configuration-store.ts';
import { patiently } from './connection.ts';
import { KEY_CHECK } from './installation.ts';
import { appendInstallationEvent } from './installation-log.ts';
import { loadOperator, OPERATOR_COLUMNS } from './operator-store.ts';
import { readMeta } from './meta-store.ts';
import { resignRows } from './row-signature.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import type { Statements } from './statements.ts';

/** What a change of the data key did, in values. */
export interface Rotation {
  rewrapped: number;
  /** Could not be opened before, and cannot be now. */
  unreadable: number;
}

export interface RotationInput {
  oldKey: Buffer;
  newKey: Buffer;
  operatorId: number;
  nowMs: number;
  /** Asked once the write lock is held; throws when somebody works with the old key. */
  proveUnused(): void;
  /** Puts the new key on the disk beside the old one: under the lock, so that of two changes at once none takes the key of the other. */
  keepNewKey(): void;
  reached(point: RotationPoint): void;
}

/** What is done so far, in this order, a page for every few values: at each a test ends the process or breaks something. */
export const ROTATION_POINTS = ['key_kept', 'page', 'signed', 'committed', 'switched'] as const;
export type RotationPoint = (typeof ROTATION_POINTS)[number];

/** Somebody works with the key that was to be changed, or has just changed it. */
export class KeyInUseError extends Error {
  constructor() {
    super('The key is in use. Stop the window, serve and every worker, then try again; nothing was changed.');
    this.name = 'KeyInUseError';
  }
}

/**
 * Puts everything that the old data key holds together under a new one, in one
 * transaction: the keys of all sealed values (never the values), the signed rows, the
 * signed end of the record, which also tells that it was done. Whatever fails, all of it
 * is undone and the old key is right.
 * Refuses: not_administrator, judged on the row as it is now.
 * Faults: `KeyInUseError`; `ChainBrokenError`: a forged record is not signed anew.
 * Source: runtime.md §16.4.
 */
export function rotateKey(statements: Statements, input: RotationInput): Result<Rotation> {
  const sealers = { from: createSealer(input.oldKey), to: createSealer(input.newKey) };
  const rewrap = createRewrap(input.oldKey, input.newKey);
  const { database } = statements;
  const rotate = database.transaction((): Result<Rotation> => {
    input.proveUnused();
    if (readMeta(statements, KEY_CHECK) !== sealers.from.keyCheck()) throw new KeyInUseError();
    proveHead(statements, macOf(sealers.from));
    const operator = loadOperator(statements, sealers.from, input.operatorId);
    if (!isAdministrator(operator)) return refused({ kind: 'not_administrator' });
    input.keepNewKey();
    input.reached('key_kept');
    const rotation: Rotation = { rewrapped: 0, unreadable: 0 };
    withoutTriggers(statements, () => {
      for (const column of SEALED_COLUMNS) rewrapColumn(statements, column, rewrap, rotation, input.reached);
    });
    resignRows(statements, 'operators', OPERATOR_COLUMNS, sealers);
    resignRows(statements, 'configurations', CONFIGURATION_COLUMNS, sealers);
    statements.get('update meta set value = ? where name = ?').run(sealers.to.keyCheck(), KEY_CHECK);
    const payload = { operatorId: input.operatorId, keyChanged: 1, ...rotation };
    appendInstallationEvent(statements, 'repaired', payload, input.nowMs);
    signHead(statements, macOf(sealers.to));
    input.reached('signed');
    return accepted(rotation);
  });
  return patiently(database, () => rotate.immediate());
}

const macOf =
  (sealer: Sealer) =>
  (text: string): string =>
    sealer.mac(text);

/** The triggers that keep sealed rows as they are do not know a new wrapping from a new content; they are back before anybody sees the file. */
function withoutTriggers(statements: Statements, change: () => void): void {
  const { database } = statements;
  const tables = SEALED_COLUMNS.map(({ table }) => `'${table}'`).join(', ');
  const triggers = database
    .prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name in (${tables})`)
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) database.exec(`drop trigger ${name}`);
  change();
  for (const { sql } of triggers) database.exec(sql);
}

/** Values held in memory at once; a transcript's may be large. */
const PAGE = 100;

function rewrapColumn(
  statements: Statements,
  { table, column, key, more = [], place }: SealedColumn,
  rewrap: Rewrap,
  rotation: Rotation,
  reached: RotationInput['reached'],
): void {
  const keys = key.join(', ');
  const marks = key.map(() => '?').join(', ');
  const read = (condition: string): string =>
    `select ${[...key, ...more].join(', ')}, ${column} as value from ${table}
     where ${column} is not null ${condition} order by ${keys} limit ${PAGE}`;
  const update = statements.get(
    `update ${table} set ${column} = ? where ${key.map((name) => `${name} = ?`).join(' and ')}`,
  );
  type Row = Record<string, string | number> & { value: never };
  let page = statements.get(read('')).all() as Row[];
  while (page.length > 0) {
    for (const row of page) {
      const sealed = rewrapped(rewrap, () => place(row), row.value);
      if (sealed) update.run(sealed, ...keyOf(row, key));
      rotation[sealed ? 'rewrapped' : 'unreadable'] += 1;
    }
    reached('page');
    const last = page.at(-1) as Row;
    page = statements.get(read(`and (${keys}) > (${marks})`)).all(...keyOf(last, key)) as Row[];
  }
}

const keyOf = (row: Record<string, string | number>, key: string[]): (string | number)[] =>
  key.map((name) => row[name] as string | number);

/** Null for a value that nobody can open: it must not keep all others under the old key (D-15). */
function rewrapped(rewrap: Rewrap, place: () => string, sealed: Buffer): Buffer | null {
  try {
    return rewrap(place(), sealed);
  } catch (error) {
    // Somebody may have edited what the place is made of, too.
    if (error instanceof SealBrokenError || error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

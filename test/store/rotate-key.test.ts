import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readApiKey, saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { ChainBrokenError } from '../../src-main/store/change-log.ts';
import { KEY_CHECK } from '../../src-main/store/installation.ts';
import { loadOperator, saveOperator, saveProof } from '../../src-main/store/operator-store.ts';
import { KeyInUseError, rotateKey, type Rotation, type RotationInput } from '../../src-main/store/rotate-key.ts';
import { SEALED_COLUMNS } from '../../src-main/store/sealed-columns.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, PROOF, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
  fixture.database.prepare('insert into meta (name, value) values (?, ?)').run(KEY_CHECK, fixture.sealer.keyCheck());
});
afterEach(() => fixture.dispose());

const newKey = randomBytes(32);
const input = (changes: Partial<RotationInput> = {}): RotationInput => ({
  oldKey: fixture.dataKey,
  newKey,
  operatorId: 1,
  nowMs: 50_000,
  proveUnused: () => undefined,
  keepNewKey: () => undefined,
  reached: () => undefined,
  ...changes,
});

function rotate(changes: Partial<RotationInput> = {}): Rotation {
  const rotated = rotateKey(fixture.statements, input(changes));
  if (!rotated.ok) throw new Error(`Refused: ${rotated.refusal.kind}`);
  return rotated.value;
}

/** A value in each sealed column; returns the run that waits. */
async function fill(): Promise<string> {
  saveConfiguration(fixture.statements, fixture.sealer, fixture.configuration, 'the model key', 1);
  saveProof(fixture.statements, fixture.sealer, 1, PROOF);
  const doomed = await lives.waiting();
  await lives.go(doomed.id, 'decide_approval', lives.decision(doomed));
  const run = await lives.claim(20_000);
  await lives.go(run.id, 'stamp_fence', { ...lives.held(run), callId: 'call-set_x', effect: 'non_idempotent_write' });
  await lives.go(run.id, 'reclaim', { ownerToken: run.ownerToken, cause: 'worker_died' });
  const ended = await lives.enqueue();
  await lives.go(ended.id, 'complete', {
    ...lives.held(await lives.claim()),
    reason: 'completed',
    answer: 'the answer',
  });
  await lives.enqueue();
  const speaking = await lives.claim();
  await lives.go(
    speaking.id,
    'record_step',
    lives.step(speaking, { messages: [{ role: 'assistant', content: 'said' }] }),
  );
  return (await lives.suspend(speaking)).id;
}

/** Every stored value of every table, and the schema. */
function fileOf(): string {
  const schema = fixture.database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  const names = fixture.database
    .prepare(`select name from sqlite_schema where type = 'table'`)
    .pluck()
    .all() as string[];
  return JSON.stringify([schema, names.map((name) => fixture.database.prepare(`select * from ${name}`).all())]);
}

const sealedValues = (): Buffer[] =>
  SEALED_COLUMNS.flatMap(
    ({ table, column, key }) =>
      fixture.database
        .prepare(`select ${column} from ${table} where ${column} is not null order by ${key.join(', ')}`)
        .pluck()
        .all() as Buffer[],
  );

/** The first bytes of a sealed value: marker, version and its wrapped key. */
const HEAD = 62;

describe('a change of the data key', () => {
  it('R-191 knows every sealed column of the schema', () => {
    const tables = fixture.database
      // The index of the search holds its words in tables of its own making.
      .prepare(`select name from sqlite_schema where type = 'table' and name not like 'run_text%'`)
      .pluck()
      .all() as string[];
    const sealed = tables.flatMap((table) =>
      (fixture.database.pragma(`table_info(${table})`) as { name: string; type: string }[])
        .filter(({ type }) => type.toLowerCase() === 'blob')
        .map(({ name }) => `${table}.${name}`),
    );
    expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(sealed.toSorted());
  });

  it('is refused to somebody who is no administrator at that moment, and touches no key', () => {
    const kept: string[] = [];
    const asked = input({ operatorId: 999, keepNewKey: () => kept.push('new'), reached: (point) => kept.push(point) });
    expect(rotateKey(fixture.statements, asked)).toMatchObject({ ok: false, refusal: { kind: 'not_administrator' } });
    expect(kept).toEqual([]);
  });

  it('R-191 wraps the key of each value anew, leaves the values as they are, and is in the record', async () => {
    const runId = await fill();
    const before = sealedValues();
    for (const { table, column } of SEALED_COLUMNS) {
      const count = fixture.database.prepare(`select count(${column}) from ${table}`).pluck().get();
      expect(count, table).toBeGreaterThan(0);
    }
    expect(rotate()).toEqual({ rewrapped: before.length, unreadable: 0 });
    const after = sealedValues();
    for (const [index, value] of after.entries()) {
      expect(value.subarray(HEAD).equals(before[index]?.subarray(HEAD) ?? Buffer.alloc(0))).toBe(true);
      expect(value.subarray(0, HEAD).equals(before[index]?.subarray(0, HEAD) ?? Buffer.alloc(0))).toBe(false);
    }
    const sealer = createSealer(newKey);
    const store = createSqliteRunStore(fixture.database, sealer, systemClock);
    expect(await store.transcript(runId)).toEqual([{ role: 'assistant', content: 'said' }]);
    expect(await store.pendingTurn(runId)).toMatchObject({ v: 2 });
    expect(await store.request(runId)).toMatchObject({ v: 1 });
    expect(readApiKey(fixture.statements, sealer, fixture.configuration)).toBe('the model key');
    expect(verifyChain(fixture.statements, sealer).problems).toEqual([]);
    expect(verifyChain(fixture.statements, fixture.sealer).problems.map(({ where }) => where)).toContain('chain head');
    const told = fixture.database.prepare('select payload from installation_events').pluck().all();
    expect(told.map((text) => JSON.parse(text as string) as object)).toEqual([
      { operatorId: 1, keyChanged: 1, rewrapped: before.length, unreadable: 0 },
    ]);
  });

  it('R-191 lets nobody write any more who still has the old key', async () => {
    await fill();
    rotate();
    await expect(lives.enqueue()).rejects.toThrow(ChainBrokenError);
  });

  it.each(['key_kept', 'page', 'signed'] as const)('R-191 is undone wholly when it breaks at %s', async (point) => {
    await fill();
    const before = fileOf();
    const reached = (now: string): void => {
      if (now === point) throw new Error('disk');
    };
    expect(() => rotate({ reached })).toThrow('disk');
    expect(fileOf()).toBe(before);
    expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
    await lives.enqueue();
    expect(rotate().rewrapped).toBeGreaterThan(0);
  });

  it('X-15 goes on past a value that nobody can open, and says so', async () => {
    const runId = await fill();
    fixture.database.prepare('update pending_turns set sealed = zeroblob(80) where run_id = ?').run(runId);
    fixture.database.prepare(`update configurations set settings = '5'`).run();
    const count = sealedValues().length;
    expect(rotate()).toEqual({ rewrapped: count - 2, unreadable: 2 });
  });

  it('makes nothing right that was forged: not the record, not a row', async () => {
    await fill();
    const other = { id: 2, name: 'other', osAccount: 'uid:2', isAdmin: true, isEnabled: true, grants: [] };
    saveOperator(fixture.statements, fixture.sealer, other, 1);
    fixture.database.prepare('update operators set is_admin = 0 where id = 1').run();
    rotate({ operatorId: 2 });
    expect(loadOperator(fixture.statements, createSealer(newKey), 1)).toBeNull();
    fixture.database.prepare('update chain_head set hash = ?').run('0'.repeat(64));
    const before = fileOf();
    expect(() => rotate({ operatorId: 2, oldKey: newKey, newKey: fixture.dataKey })).toThrow(ChainBrokenError);
    expect(fileOf()).toBe(before);
  });

  it('changes and keeps nothing while somebody works, or with a key that was changed meanwhile', async () => {
    await fill();
    const before = fileOf();
    const keepNewKey = (): void => expect.unreachable();
    const proveUnused = (): never => {
      throw new KeyInUseError();
    };
    expect(() => rotate({ proveUnused, keepNewKey })).toThrow(KeyInUseError);
    expect(() => rotate({ oldKey: newKey, keepNewKey })).toThrow(KeyInUseError);
    expect(fileOf()).toBe(before);
  });
});

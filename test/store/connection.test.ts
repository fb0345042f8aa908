import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src-main/store/connection.ts';
import {
  APPLICATION_ID,
  ForeignDatabaseError,
  MIGRATIONS,
  NewerDatabaseError,
  SCHEMA_VERSION,
  schemaVersion,
} from '../../src-main/store/migrate.ts';
import { digest } from '../../src-main/domain/digest.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { startChild } from '../support/child.ts';

const SETTINGS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  busy_timeout: 0,
  trusted_schema: 0,
  recursive_triggers: 1,
};

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-connection-'));
  path = join(folder, 'countersign.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settingsOf = (database: ReturnType<typeof openConnection>) =>
  Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, database.pragma(name, { simple: true })]));

describe('a connection', () => {
  it('T-118 has its settings, the first one of a file and every later one', () => {
    const connections = [openConnection(path), openConnection(path), openConnection(path)];
    try {
      for (const database of connections) expect(settingsOf(database)).toEqual(SETTINGS);
    } finally {
      for (const database of connections) database.close();
    }
    const again = openConnection(path);
    expect(settingsOf(again)).toEqual(SETTINGS);
    again.close();
  });

  it('T-118 would not have them by itself: a plain connection waits in SQLite or syncs less', () => {
    openConnection(path).close();
    const plain = openSqlite(path);
    expect(settingsOf(plain)).not.toEqual(SETTINGS);
    plain.close();
  });

  it('T-116 is made by SQLite 3.51.3 or newer', () => {
    const database = openSqlite(':memory:');
    const version = database.prepare('select sqlite_version()').pluck().get() as string;
    database.close();
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    expect(major * 1_000_000 + minor * 1_000 + patch).toBeGreaterThanOrEqual(3_051_003);
  });

  it('leaves a database of another program as it is', () => {
    const other = openSqlite(path);
    other.exec('create table runs (id)');
    other.close();
    expect(() => openConnection(path)).toThrow(ForeignDatabaseError);
    const after = openSqlite(path);
    expect(schemaVersion(after)).toBe(0);
    expect(after.prepare(`select count(*) from sqlite_schema where type = 'table'`).pluck().get()).toBe(1);
    after.close();
  });
});

describe('the migrations', () => {
  it('T-122 bring an empty file to the schema version of this release', () => {
    const database = openConnection(path);
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const tables = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).pluck().all();
    expect(tables).toEqual([
      'chain_head',
      'changes',
      'configurations',
      'decisions',
      'failed_proofs',
      'heads',
      'installation_events',
      'meta',
      'operators',
      'pending_turns',
      'purging',
      'receipts',
      'results',
      'run_counts',
      'run_events',
      'run_index',
      'run_names',
      'run_requests',
      'run_text',
      'run_text_config',
      'run_text_data',
      'run_text_idx',
      'runs',
      'signing_key',
      'spend',
      'transcript_chunks',
      'uncertain_writes',
      'workers',
    ]);
    database.close();
  });

  it('T-122 have the numbers of their files, tens, in order', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src-main/store/migrations'));
    const numbers = files.map((name) => Number(/^(\d{5})-[a-z-]+\.ts$/.exec(name)?.[1]));
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(numbers.toSorted((left, right) => left - right));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => number > 0 && number % 10 === 0)).toBe(true);
  });

  it('T-122 are frozen: a changed text is a new migration, not an edit', () => {
    const hashes = Object.fromEntries(MIGRATIONS.map(({ version, sql }) => [version, digest('change/1:', sql)]));
    expect(hashes).toEqual({
      10: 'df9d55b811b37721ea9519a9ece2b72aeec595ff19a3815caf25a561d00268c5',
      20: '63426c5b1fd4fcc7e20e710c00c1a9874845cd76c3ccc622966004082b017265',
      30: '62c8b284c69c56b8c60effaf6c501b5532df2fd0f25f8d8f2cc49e17c388d579',
      40: 'e388cee8f51c3a180930703586426119d29c85449d0255d1eccafec7297ddcc2',
      50: 'ef5e85e63112e1d7175b35d9df0ea40030ee1635294a60af156d51a058cd907c',
      60: '7ea988e979ea23c0b91fc8daddf9e9c6b793c46e42ceabab4db7d5286c914a1a',
      70: '52aa2b3a38d8346e734af6cd471ccd36e2a4e3226ab4cb0e2bd0801cccfc1ad1',
      80: 'f1ab82194476fef9cad03ddf7e4b70cbc6b136566783958bf0ce12ac9d89abb8',
      90: 'aaebbd6248c4600ff65039e3f276dfa63d8a3bdf85cf0c948cabd06ece78d893',
    });
  });

  it.each(['wal', 'delete'])('T-122 refuse a newer file with a sentence and leave it as it is (%s journal)', (mode) => {
    const newer = openSqlite(path);
    newer.pragma(`journal_mode = ${mode}`);
    newer.exec('create table future (id); insert into future values (1)');
    newer.pragma(`user_version = ${SCHEMA_VERSION + 10}`);
    newer.pragma(`application_id = ${APPLICATION_ID}`);
    newer.close();
    const before = readFileSync(path);
    expect(() => openConnection(path)).toThrow(NewerDatabaseError);
    expect(() => openConnection(path)).toThrow(
      `This database has schema version ${SCHEMA_VERSION + 10}, this release knows ${SCHEMA_VERSION}.`,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('T-122 run once when two processes open a fresh file at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const fresh = join(folder, `fresh-${round}.db`);
      const children = [startChild('open-store.ts', fresh), startChild('open-store.ts', fresh)];
      try {
        for (const child of children) expect(await child.message()).toBe('ready');
        for (const child of children) child.send('go');
        const answers = await Promise.all(children.map((child) => child.message()));
        expect(answers).toEqual([
          { version: SCHEMA_VERSION, settings: SETTINGS },
          { version: SCHEMA_VERSION, settings: SETTINGS },
        ]);
        expect(await Promise.all(children.map((child) => child.ended))).toEqual([0, 0]);
      } finally {
        await Promise.all(children.map((child) => child.stop()));
      }
    }
  });
});

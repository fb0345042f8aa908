import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { headText } from '../../src-main/store/change-log.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { appendInstallationEvent } from '../../src-main/store/installation-log.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src-main/store/migrate.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { createSealer } from '../../src-main/system/seal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-migration-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('T-122 migration 12 keeps what happened to the installation, and the record still holds', () => {
  const path = join(folder, 'countersign.db');
  const sealer = createSealer(Buffer.alloc(32, 3));
  const before = openSqlite(path);
  before.exec(MIGRATIONS.find(({ version }) => version === 10)?.sql ?? '');
  before.pragma(`application_id = ${APPLICATION_ID}`);
  before.pragma('user_version = 10');
  const old = new Statements(before);
  appendInstallationEvent(old, 'paused', { operatorId: 1 }, 1);
  appendInstallationEvent(old, 'resumed', { operatorId: 1 }, 2);
  const { seq, hash } = before.prepare('select seq, hash from changes order by seq desc').get() as {
    seq: number;
    hash: string;
  };
  before.prepare('insert into chain_head values (1, ?, ?, ?)').run(seq, hash, sealer.mac(headText(seq, hash, null)));
  const rows = before.prepare('select * from installation_events').all();
  before.close();

  const database = openConnection(path);
  const statements = new Statements(database);
  expect(database.prepare('select * from installation_events').all()).toEqual(rows);
  expect(verifyChain(statements, sealer).problems).toEqual([]);
  expect(() => database.exec('delete from installation_events')).toThrow('append-only');
  expect(() => database.exec('update installation_events set at_ms = 3')).toThrow('append-only');
  database.close();
});

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { cli, type Ended } from '../support/cli.ts';

interface Told {
  outcome: string;
  runId: string;
  record: { table: string; key: { id: number }; field: string; before: string; after: string };
  events: string[];
  chainVerified: boolean;
  database: string;
  site: string;
}

describe('the demo', () => {
  let folder: string;
  let ended: Ended;
  let told: Told;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-demo-test-'));
    ended = await cli(['demo', '--yes', '--json', '--keep', join(folder, 'kept')]);
    told = ended.json() as Told;
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A copy of the kept installation that a test may damage. */
  function copy(name: string): string {
    cpSync(join(folder, 'kept', 'countersign'), join(folder, name), { recursive: true });
    return join(folder, name, 'countersign.db');
  }

  /** A chain check that shares no code with the product. */
  function recompute(database: string): { code: number | null; problems: string[]; events: number } {
    const script = join(import.meta.dirname, '..', 'support', 'recompute-chain.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script, database], { encoding: 'utf8' });
    return { code: status, ...(JSON.parse(stdout) as { problems: string[]; events: number }) };
  }

  it('R-201 H-100 prints one JSON object: proposed, approved, written, recorded in order', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.trim().split('\n')).toHaveLength(1);
    expect(told).toMatchObject({
      outcome: 'completed',
      record: { table: 'pages', key: { id: 42 }, field: 'meta_description' },
      chainVerified: true,
    });
    expect(told.record.after).not.toBe(told.record.before);
    const inOrder = ['queued', 'suspended', 'approval', 'tool', 'tool_write', 'finished'];
    const positions = inOrder.map((kind) => told.events.lastIndexOf(kind));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions).not.toContain(-1);
  });

  it('R-201 changed exactly the one field of the one record in the kept site', () => {
    const site = openSqlite(join(told.site, 'site.db'), { readonly: true });
    const log = site.prepare('select page_id, field, old_value, new_value from page_log').all();
    const { meta_description: value } = site.prepare('select meta_description from pages where id = 42').get() as {
      meta_description: string;
    };
    site.close();
    expect(value).toBe(told.record.after);
    expect(log).toEqual([
      { page_id: 42, field: 'meta_description', old_value: told.record.before, new_value: told.record.after },
    ]);
  });

  it('keeps a chain that somebody else can recompute without our code', () => {
    expect(recompute(told.database)).toEqual({
      code: 0,
      events: told.events.length,
      problems: [],
      // One commit, one change: the first request is stored with the claim, twice the next one with the result before it.
      changes: told.events.length - 3,
    });
  });

  it('fails to verify when one byte of an event was flipped', async () => {
    const database = copy('flipped');
    const bytes = readFileSync(database);
    // SQLite leaves copies of moved rows in unused parts of a page: every copy is changed, so the living one is among them.
    const text = '"decidedBy":1';
    let at = bytes.indexOf(text);
    expect(at).toBeGreaterThan(0);
    for (; at >= 0; at = bytes.indexOf(text, at + 1)) bytes.writeUInt8('2'.charCodeAt(0), at + text.length - 1);
    writeFileSync(database, bytes);
    const verified = await cli(['verify', '--json', '--db', database]);
    expect(verified.code).toBe(1);
    expect(verified.json()).toMatchObject({ chainVerified: false });
    expect(recompute(database).code).toBe(1);
  });

  it('fails to verify when the last event was dropped', async () => {
    const database = copy('dropped');
    const damaged = openSqlite(database);
    damaged.exec(`drop trigger run_events_no_delete;
      delete from run_events where sequence = (select max(sequence) from run_events);`);
    damaged.close();
    const verified = await cli(['verify', '--db', database]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('does NOT hold');
    expect(recompute(database).code).toBe(1);
  });

  it('fails to verify when the end of all records was cut off consistently, for want of the key', async () => {
    const database = copy('cut');
    const damaged = openSqlite(database);
    damaged.exec(`drop trigger run_events_no_delete; drop trigger changes_no_delete; drop trigger heads_no_delete;
      delete from run_events where sequence = (select max(sequence) from run_events);
      delete from changes where seq = (select max(seq) from changes);
      delete from heads where change_seq > (select max(seq) from changes);
      update runs set status = (select status from changes order by seq desc limit 1), finished_at_ms = 0,
        owner_token = 'x', lease_expires_at_ms = 1,
        last_sequence = (select last_sequence from changes order by seq desc limit 1),
        last_hash = (select last_hash from changes order by seq desc limit 1);
      update chain_head set seq = (select max(seq) from changes), hash = (select hash from changes order by seq desc limit 1);`);
    damaged.close();
    // Everything unkeyed was made to fit; only the signature of the head cannot be.
    expect(recompute(database)).toMatchObject({ code: 0, problems: [] });
    const verified = await cli(['verify', '--json', '--db', database]);
    expect(verified.code).toBe(1);
    expect(verified.json()).toMatchObject({ problems: [{ where: 'chain head' }] });
  });

  it('fails closed when the key is missing, and opens again with the recovery code', async () => {
    const database = copy('keyless');
    const { recoveryCode } = (await cli(['key', '--recovery-code', '--json', '--db', database])).json() as {
      recoveryCode: string;
    };
    copyFileSync(`${database}.key`, join(folder, 'saved.key'));
    rmSync(`${database}.key`);
    const closed = await cli(['inbox', '--db', database]);
    expect(closed.code).toBe(1);
    expect(closed.stderr).toContain('key --restore');
    const wrong = await cli([
      'key',
      '--restore',
      recoveryCode.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      '--db',
      database,
    ]);
    expect(wrong.code).toBe(1);
    expect((await cli(['key', '--restore', recoveryCode, '--db', database])).code).toBe(0);
    expect(readFileSync(`${database}.key`, 'utf8')).toBe(readFileSync(join(folder, 'saved.key'), 'utf8'));
    expect((await cli(['verify', '--db', database])).code).toBe(0);
  });

  it('changes nothing when the decision is no, and refuses a folder that is taken', async () => {
    const denied = await cli(['demo', '--no', '--json', '--keep', join(folder, 'denied')]);
    expect(denied.code).toBe(0);
    const { record, events } = denied.json() as Told;
    expect(record.after).toBe(record.before);
    expect(events).not.toContain('tool_write');
    expect((await cli(['demo', '--yes', '--keep', join(folder, 'kept')])).code).toBe(2);
  }, 30_000);
});

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { cli } from '../support/cli.ts';

/** From the decision of a demo run to somebody elsewhere who has its receipt, the script and the public key. */
describe('a receipt that is given out', () => {
  let folder: string;
  let elsewhere: string;
  let database: string;
  let runId: string;
  let publicKey: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-receipt-test-'));
    elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    copyFileSync(
      join(import.meta.dirname, '..', '..', 'scripts', 'verify-receipt.mjs'),
      join(elsewhere, 'verify-receipt.mjs'),
    );
    const told = await cli(['demo', '--yes', '--json', '--keep', join(folder, 'kept')]);
    ({ runId, database } = told.json() as { runId: string; database: string });
    ({ publicKey } = (await cli(['verify', '--json', '--db', database])).json() as { publicKey: string });
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = (file: string, key = publicKey) =>
    spawnSync(process.execPath, ['verify-receipt.mjs', file, '--key', key], { cwd: elsewhere, encoding: 'utf8' });

  it('holds elsewhere, for the key that verify names and for no other', async () => {
    const out = join(elsewhere, 'run.receipt');
    const written = await cli(['receipt', runId, '--db', database, '--out', out]);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    if (process.platform !== 'win32') expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(check('run.receipt')).toMatchObject({ status: 0, stderr: '' });
    expect(check('run.receipt').stdout).toMatch(`Holds: decision 1 of run ${runId} (approved)`);
    expect(check('run.receipt', 'a'.repeat(64)).status).toBe(1);
    const printed = await cli(['receipt', runId, '--decision', '1', '--db', database]);
    expect(printed.stdout).toBe(readFileSync(out, 'utf8'));
    const asJson = await cli(['receipt', runId, '--json', '--db', database]);
    expect(asJson.json()).toEqual(JSON.parse(printed.stdout));
    expect(asJson.json()).toMatchObject({
      key: publicKey,
      receipt: {
        calls: [{ name: 'update_record' }],
        tools: [{ name: 'update_record', definition: { effect: 'idempotent_write' } }],
        decision: { verdicts: expect.any(Object) as object },
      },
    });
  }, 60_000);

  it('is refused with a reason, and never over a file that is there', async () => {
    const missing = await cli(['receipt', runId, '--decision', '2', '--json', '--db', database]);
    expect(missing.code).toBe(1);
    expect(missing.json()).toMatchObject({
      refusal: { kind: 'no_receipt', decisionNumber: 2, why: 'no_such_decision' },
    });
    expect((await cli(['receipt', runId, '--out', database, '--db', database])).code).toBe(2);
  }, 60_000);

  it.each([
    ['with bytes changed', `update receipts set sealed = zeroblob(length(sealed))`],
    ['gone', 'delete from receipts'],
  ])(
    'is given out by nobody any more once it is %s in the file, and verify says so',
    async (name, sql) => {
      cpSync(join(folder, 'kept', 'countersign'), join(folder, name), { recursive: true });
      const copy = join(folder, name, 'countersign.db');
      const edited = openSqlite(copy);
      edited.exec(`drop trigger receipts_no_update; drop trigger receipts_no_delete; ${sql}`);
      edited.close();
      const given = await cli(['receipt', runId, '--json', '--db', copy]);
      expect(given.code).toBe(1);
      expect(given.json()).toMatchObject({ refusal: { kind: 'no_receipt', why: 'damaged' } });
      const verified = await cli(['verify', '--json', '--db', copy]);
      expect(verified.code).toBe(1);
      expect(verified.json()).toMatchObject({
        problems: [{ where: `receipt 1 of run ${runId}`, problem: 'it is missing or was changed' }],
      });
    },
    60_000,
  );
});

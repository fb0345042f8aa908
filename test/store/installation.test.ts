import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openInstallation, restoreKeyFile, type Installation } from '../../src-main/store/installation.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { keyFromRecoveryCode, KeyUnavailableError, recoveryCode } from '../../src-main/system/key-file.ts';
import { installationPaths } from '../../src-main/system/paths.ts';
import { enqueueInput, SETTINGS } from '../support/store.ts';

const ACCOUNT = { account: 'uid:1', name: 'tester' };
const PASSPHRASE = 'correct horse battery';

let folder: string;
let paths: ReturnType<typeof installationPaths>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-installation-'));
  paths = installationPaths(join(folder, 'countersign.db'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (passphrase: string | null): Installation =>
  openInstallation(paths, { passphrase, account: ACCOUNT, clock: systemClock });

/** An installation that holds a sealed request; its recovery code. */
async function installed(passphrase: string | null): Promise<{ code: string; runId: string }> {
  const { store, dataKey, close } = open(passphrase);
  await store.saveConfiguration({ id: 'c', identifier: 'c', isActive: true, settings: SETTINGS }, null, 1);
  const input = enqueueInput('c');
  expect(await store.transition(input.id, { kind: 'enqueue', input, nowMs: 1 })).toMatchObject({ ok: true });
  close();
  return { code: recoveryCode(dataKey), runId: input.id };
}

/** What an opening refuses leaves neither another key nor another file behind. */
function expectRefused(passphrase: string | null, told: RegExp): void {
  const before = existsSync(paths.key) ? readFileSync(paths.key, 'utf8') : null;
  expect(() => open(passphrase)).toThrow(KeyUnavailableError);
  expect(() => open(passphrase)).toThrow(told);
  expect(existsSync(paths.key) ? readFileSync(paths.key, 'utf8') : null).toBe(before);
}

describe('the key of an installation', () => {
  it('T-120 that is protected is not used without its passphrase, nor with another one, and nothing is sealed in plain instead', async () => {
    const { runId } = await installed(PASSPHRASE);
    expectRefused(null, /protected by a passphrase/);
    expectRefused('another', /does not open the key/);
    const again = open(PASSPHRASE);
    expect(again.keyProtection).toBe('passphrase');
    expect(await again.store.request(runId)).toMatchObject({ v: 1 });
    again.close();
  });

  it('T-120 that is lost is never replaced by a new one, but comes back with its recovery code', async () => {
    const { code, runId } = await installed(null);
    renameSync(paths.key, `${paths.key}.away`);
    expectRefused(null, /is missing.*key --restore CODE/);
    const wrong = keyFromRecoveryCode('0'.repeat(64));
    expect(() => restoreKeyFile(paths, wrong, null)).toThrow('belongs to another database');
    expect(existsSync(paths.key)).toBe(false);
    restoreKeyFile(paths, keyFromRecoveryCode(code), null);
    const again = open(null);
    expect(await again.store.request(runId)).toMatchObject({ v: 1 });
    again.close();
  });

  it('T-120 that was protected is not taken from an unprotected file, neither at a start nor from its recovery code', async () => {
    const { code } = await installed(PASSPHRASE);
    renameSync(paths.key, `${paths.key}.away`);
    expect(() => restoreKeyFile(paths, keyFromRecoveryCode(code), null)).toThrow(/was protected by a passphrase/);
    expect(existsSync(paths.key)).toBe(false);
    restoreKeyFile(paths, keyFromRecoveryCode(code), 'a new passphrase');
    const again = open('a new passphrase');
    expect(again.keyProtection).toBe('passphrase');
    again.close();
  });

  it('T-120 of another database opens nothing of this one', async () => {
    await installed(null);
    const other = installationPaths(join(folder, 'other', 'countersign.db'));
    openInstallation(other, { passphrase: null, account: ACCOUNT, clock: systemClock }).close();
    renameSync(other.key, paths.key);
    expectRefused(null, /does not belong to this database/);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError, type Invocation } from '../../src-main/cli/command.ts';
import { key } from '../../src-main/cli/key-command.ts';
import { openConsole } from '../../src-main/compose.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import { KeyInUseError } from '../../src-main/store/rotate-key.ts';
import { keyFromRecoveryCode } from '../../src-main/system/key-file.ts';
import { startChild } from '../support/child.ts';

describe('key rotate', () => {
  let folder: string;
  let databasePath: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-key-'));
    databasePath = join(folder, 'countersign.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function call(positionals: string[], options: Invocation['options'] = {}) {
    const opened = openConsole(databasePath);
    let answered: Record<string, unknown> = {};
    const answer = (value: unknown): void => void (answered = value as Record<string, unknown>);
    const invocation = { positionals, options, databasePath, open: () => opened, answer } as unknown as Invocation;
    try {
      return { code: await key.run(invocation), answered };
    } finally {
      opened.close();
    }
  }
  const keyFile = (): string => readFileSync(`${databasePath}.key`, 'utf8');

  it('gives another key, which its recovery code is, under the protection of the old one', async () => {
    openConsole(databasePath).close();
    const before = keyFile();
    const { code, answered } = await call(['rotate'], { 'recovery-code': true });
    expect(code).toBe(0);
    expect(keyFile()).not.toBe(before);
    expect(JSON.parse(keyFile())).toEqual({
      v: 1,
      protection: 'none',
      key: keyFromRecoveryCode(answered.recoveryCode as string).toString('base64'),
    });
    expect((await call([])).answered).toMatchObject({ protection: 'none' });
  });

  it('keeps the passphrase', async () => {
    process.env.COUNTERSIGN_PASSPHRASE = 'correct horse';
    try {
      await call(['rotate']);
      expect(JSON.parse(keyFile())).toMatchObject({ protection: 'passphrase' });
      expect((await call([])).answered).toMatchObject({ protection: 'passphrase' });
    } finally {
      delete process.env.COUNTERSIGN_PASSPHRASE;
    }
    expect(() => openConsole(databasePath)).toThrow(/passphrase/);
  });

  it('is refused while a worker is alive, and changes nothing then', async () => {
    openConsole(databasePath).close();
    const before = keyFile();
    const holder = startChild('hold-alive.ts', join(`${databasePath}.workers`, 'w1.alive'));
    await holder.message();
    await expect(call(['rotate'])).rejects.toThrow(KeyInUseError);
    expect(keyFile()).toBe(before);
    await holder.stop();
    expect((await call(['rotate'])).code).toBe(0);
  });

  it('is refused to who is no administrator when it comes to it', async () => {
    const opened = openConsole(databasePath);
    const { statements, sealer, operator } = opened.installation;
    if (!operator) throw new Error('Nobody is the operator.');
    const { osAccount } = statements.get('select os_account as osAccount from operators').get() as {
      osAccount: string;
    };
    saveOperator(statements, sealer, { ...operator, isAdmin: false, osAccount }, 1);
    opened.close();
    const before = keyFile();
    const { code, answered } = await call(['rotate']);
    expect(code).toBe(1);
    expect(answered).toMatchObject({ refusal: { kind: 'not_administrator' } });
    expect(keyFile()).toBe(before);
  });

  it.each([[['wat']], [['rotate', 'twice']]])('takes no other words: %j', async (words) => {
    await expect(call(words)).rejects.toThrow(UsageError);
  });
});

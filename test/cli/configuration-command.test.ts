import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from '../../src-main/cli/configuration-command.ts';
import { openConsole } from '../../src-main/compose.ts';
import { cli } from '../support/cli.ts';
import { atConsole } from '../support/terminal.ts';

let folder: string;
let database: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-configuration-'));
  database = join(folder, 'countersign.db');
  const made = await run('sample', join(folder, 'site'));
  expect(made.code, made.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => cli([...words, '--db', database, '--json']);

describe('the command for configurations', () => {
  it('shows a configuration with its tools, changes it, and keeps in the record who did', async () => {
    const shown = await run('configuration', 'sample');
    expect(shown.json()).toMatchObject({ zone: 'local', ceiling: 'secretAdjacent', settings: { maxRounds: 5 } });
    const changed = await run('configuration', 'sample', '--set', 'maxRounds=7', '--set', 'budget.perRun.tokens=500');
    expect(changed.json()).toMatchObject({ changed: ['maxRounds', 'budget'] });
    expect((await run('configuration', 'sample', '--set', 'maxRounds=7')).json()).toMatchObject({ changed: [] });
    expect((await run('verify')).code).toBe(0);
  });

  it('carries one to another console without a key, and overwrites no file', async () => {
    const file = join(folder, 'carried.json');
    expect((await run('configuration', 'sample-files', '--export', file)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ v: 1, identifier: 'sample-files' });
    const again = await run('configuration', 'sample-files', '--export', file);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing is overwritten') });
    const imported = await run('configuration', 'other', '--import', file);
    expect(imported.json()).toMatchObject({ changed: ['created'], configuration: { identifier: 'other' } });
  });

  it('exports one that has a key, and the key is nowhere in the file', async () => {
    const key = 'sk-planted-0123456789abcdef';
    const words = ['connect', 'keyed', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'tiny'];
    const connected = await cli([...words, '--key-from', 'PLANTED', '--db', database], { PLANTED: key });
    expect(connected.code, connected.stderr).toBe(0);
    const file = join(folder, 'keyed.json');
    const exported = await run('configuration', 'keyed', '--export', file);
    expect(exported.code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ identifier: 'keyed', settings: { model: { modelId: 'tiny' } } });
    for (const place of [text, exported.stdout, exported.stderr]) {
      expect(place).not.toContain(key);
      expect(place).not.toContain(Buffer.from(key).toString('base64').slice(0, 20));
    }
    const imported = await cli(['configuration', 'without', '--import', file, '--db', database]);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('It has no key.') });
  }, 60_000);

  it.each([
    ['a setting there is none of', ['--set', 'colour=red'], 2, 'There is no setting colour'],
    ['one inside a list', ['--set', 'fallbacks.length=0'], 2, 'There is no setting'],
    ['a name every object has', ['--set', 'constructor.prototype.x=1'], 2, 'There is no setting'],
    ['a value that does not fit', ['--set', 'maxRounds=many'], 1, '"field":"maxRounds"'],
    ['two opposites', ['--activate', '--deactivate'], 2, 'not both'],
  ])('refuses %s and changes nothing', async (_, words, code, told) => {
    const refused = await run('configuration', 'sample', ...words);
    expect(refused.code).toBe(code);
    expect(`${refused.stdout}${refused.stderr}`).toContain(told);
  });

  it('H-149 warns before it saves that there would be nobody to approve, and saves for the word yes only', async () => {
    const opened = openConsole(database);
    const printed: string[] = [];
    const set = async (value: boolean, word: string | null) => {
      printed.length = 0;
      const invocation = {
        ...atConsole(opened, word === null ? [] : [word], printed),
        positionals: ['sample'],
        options: { set: [`requireSecondApprover=${String(value)}`] },
      };
      const code = await configuration.run(invocation);
      const stored = await opened.installation.store.findConfiguration('sample');
      return { code, isRequired: stored?.settings.requireSecondApprover };
    };
    try {
      for (const word of [null, '', 'no']) {
        expect(await set(true, word)).toEqual({ code: 1, isRequired: false });
        expect(printed.join('\n')).toMatch(/Fewer than two people[^]*Nothing was changed/);
      }
      expect(await set(true, 'yes')).toEqual({ code: 0, isRequired: true });
      // Asked once, when it is switched on.
      expect(await set(true, null)).toEqual({ code: 0, isRequired: true });
      expect(await set(false, null)).toEqual({ code: 0, isRequired: false });
    } finally {
      opened.close();
    }
  });

  it.each([
    ['no JSON', 'not json', 'is no JSON'],
    ['something else', '{"v":1}', 'is no exported configuration'],
    ['a newer release', '{"v":2,"identifier":"x","settings":{}}', 'newer release'],
  ])('imports nothing of a file of %s', async (_, text, told) => {
    const file = join(folder, `${told.replaceAll(' ', '-')}.json`);
    writeFileSync(file, text);
    const refused = await run('configuration', '--import', file);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
    expect(existsSync(file)).toBe(true);
  });
});

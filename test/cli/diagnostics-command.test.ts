import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnostics } from '../../src-main/cli/diagnostics-command.ts';
import { UsageError, type Invocation } from '../../src-main/cli/command.ts';
import { openConsole, type Console } from '../../src-main/compose.ts';
import { SCHEMA_VERSION } from '../../src-main/store/migrate.ts';
import { SETTINGS } from '../support/store.ts';

const SECRETS = ['sk-proj-Diagnosed0123456789', 'hunter22', 'joe@example.org', 'CONTENTWORD', 'SYSTEMWORD', 'pathword'];

describe('the diagnostics bundle', () => {
  let folder: string;
  let opened: Console;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-diagnostics-'));
    mkdirSync(join(folder, 'console'));
    opened = openConsole(join(folder, 'console', 'countersign.db'));
    const [key, password, mail] = SECRETS;
    const configuration = {
      id: 'c1',
      identifier: 'local',
      isActive: true,
      settings: {
        ...SETTINGS,
        model: {
          kind: 'openai_compatible' as const,
          baseUrl: `http://joe:${password}@127.0.0.1:9/v1`,
          modelId: 'tiny',
        },
        systemPrompt: `SYSTEMWORD ${key}`,
        databases: [{ name: 'site', path: '/home/pathword/site.db' }],
      },
    };
    await opened.installation.store.saveConfiguration(configuration, key, 1);
    await opened.runtime.enqueue(opened.actor, {
      configurationId: 'c1',
      label: `Ask ${mail} about LABELWORD`,
      prompt: `CONTENTWORD ${key}`,
      maxRounds: null,
      allowedToolNames: null,
    });
    opened.report(new Error(`HTTP 400 for ${key} of ${mail}`), 'model');
  });
  afterAll(() => {
    opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function write(file: string, options: Invocation['options'] = {}): Promise<{ text: string; lines: string[] }> {
    const path = join(folder, file);
    const lines: string[] = [];
    const answer = (_value: unknown, told: string[]): void => void lines.push(...told);
    await diagnostics.run({ positionals: [path], options, open: () => opened, answer } as unknown as Invocation);
    return { text: readFileSync(path, 'utf8'), lines };
  }

  it('tells what a helper needs, says so, and is for its owner only', async () => {
    const { text, lines } = await write('whole.json');
    expect(JSON.parse(text)).toMatchObject({
      machine: { version: '0.1.0', platform: process.platform, node: process.versions.node },
      installation: { schemaVersion: SCHEMA_VERSION, keyProtection: 'none' },
      health: { queued: 1 },
      counts: { live: { queued: 1 } },
      findings: [],
      configurations: [{ identifier: 'local', privacy: 'metadata', databases: ['site'], model: { modelId: 'tiny' } }],
      livingRuns: [{ status: 'queued', configuration: 'local' }],
      log: [{ where: 'model', level: 'error' }],
    });
    expect(lines.join('\n')).toContain(join(folder, 'whole.json'));
    expect(lines.join('\n')).toMatch(/In it: .*configurations \(1\).*log \(1\)/);
    expect(statSync(join(folder, 'whole.json')).mode & 0o777).toBe(0o600);
  });

  it.each([{}, { 'with-labels': true }])('holds no planted secret and no content of a run with %j', async (options) => {
    const { text } = await write(`searched-${Object.keys(options).length}.json`, options);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text.includes('LABELWORD')).toBe('with-labels' in options);
  });

  it('never writes over a file, and takes as many lines of the log as it is told', async () => {
    const { text } = await write('once.json', { 'log-lines': '0' });
    expect(JSON.parse(text)).toMatchObject({ log: [] });
    await expect(write('once.json')).rejects.toThrow(UsageError);
    expect(readFileSync(join(folder, 'once.json'), 'utf8')).toBe(text);
    await expect(write('no-folder/x.json')).rejects.toThrow(/no folder/);
  });
});

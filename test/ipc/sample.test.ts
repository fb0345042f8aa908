import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSample } from '../../src-main/compose.ts';
import { openConsole, openService, type Console, type OpenService } from '../../src-main/compose.ts';
import { QUIET_POOL, valueOf } from '../support/service.ts';

describe('trying the sample site', () => {
  let folder: string;
  let opened: Console;
  let service: OpenService;
  let site: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-sample-'));
    const database = join(folder, 'console', 'countersign.db');
    opened = openConsole(database);
    site = `${database}-sample`;
    service = openService(opened, QUIET_POOL, {
      surface: 'browser',
      version: '0',
      openWindow: () => Promise.resolve(null),
      callerUrl: import.meta.url,
    });
  });
  afterEach(async () => {
    await service.close();
    opened.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const press = () => service.call('configurations.trySample', {});
  const list = async () => valueOf('configurations.list', await service.call('configurations.list', {}));
  const robots = () => join(site, 'workspace', 'robots.txt');

  it('builds it beside the console with its configurations and starts the first run', async () => {
    const { runId } = valueOf('configurations.trySample', await press());
    expect(await service.call('runs.detail', { runId })).toMatchObject({
      value: { run: { label: 'Page 42: meta description', configuration: 'sample', status: 'queued' } },
    });
    expect(await list()).toMatchObject([
      { identifier: 'sample', model: { example: 'Check the meta description of page 42' } },
      {
        identifier: 'sample-files',
        model: { example: 'Keep crawlers out of /drafts/' },
        workspaces: [{ name: 'site' }],
      },
      { identifier: 'sample-questions', model: { example: 'Rename page 42' } },
    ]);
    expect(existsSync(join(site, 'site.db'))).toBe(true);
  });

  it('builds once when it is pressed twice at once', async () => {
    const [first, second] = await Promise.all([press(), press()]);
    expect(valueOf('configurations.trySample', first).runId).not.toBe(
      valueOf('configurations.trySample', second).runId,
    );
    expect(await list()).toHaveLength(3);
    expect(readdirSync(site).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('leaves what a person changed, and builds again what is gone', async () => {
    await press();
    writeFileSync(robots(), 'mine');
    const before = await list();
    await press();
    expect(readFileSync(robots(), 'utf8')).toBe('mine');
    expect(await list()).toEqual(before);
    rmSync(join(site, 'site.db'));
    await press();
    expect(existsSync(join(site, 'site.db'))).toBe(true);
    expect(readFileSync(robots(), 'utf8')).toBe('mine');
    expect(await list()).toEqual(before);
  });

  it('uses the one that the command line built elsewhere', async () => {
    expect(await addSample(opened, import.meta.url, join(folder, 'elsewhere'))).toMatchObject({ ok: true });
    await press();
    expect(existsSync(site)).toBe(false);
    expect(await list()).toMatchObject([{ databases: [{ path: join(folder, 'elsewhere', 'site.db') }] }, {}, {}]);
  });

  it('puts nothing into a folder that holds something else, and says so', async () => {
    mkdirSync(site);
    writeFileSync(join(site, 'thesis.txt'), 'mine');
    expect(await press()).toEqual({
      ok: false,
      refusal: { kind: 'invalid_request', problems: [{ field: 'sampleFolder', problem: 'name_taken' }] },
    });
    expect(readdirSync(site)).toEqual(['thesis.txt']);
    expect(await list()).toEqual([]);
  });

  it('sends no prompt to a real model that somebody called sample', async () => {
    const form = {
      configurationId: null,
      identifier: 'sample',
      baseUrl: 'http://127.0.0.1:9/v1',
      modelId: 'm',
      key: { kind: 'none' },
    };
    await service.call('configurations.connect', { ...form, systemPrompt: '', databases: [], workspaces: [] });
    expect(await press()).toMatchObject({ refusal: { problems: [{ field: 'identifier', problem: 'name_taken' }] } });
    expect(await service.call('inbox.overview', { waitingLimit: 1 })).toMatchObject({ value: { active: [] } });
  });
});

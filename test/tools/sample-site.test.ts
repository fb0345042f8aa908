import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSampleSite } from '../../src-main/tools/sample-site.ts';
import { InProcessTools, temporaryFolder, withFile } from '../support/tool-fixtures.ts';

const SOURCE = join(import.meta.dirname, '../../resources/sample-site');

const rows = (path: string, sql: string): unknown[] =>
  withFile(path, (connection) => connection.prepare(sql).raw().all());

describe('buildSampleSite', () => {
  it('builds the same site every time, and leaves a changed one alone', () => {
    const target = join(temporaryFolder(), 'sample');
    const site = buildSampleSite(SOURCE, target);
    const other = buildSampleSite(SOURCE, join(temporaryFolder(), 'sample'));
    expect(readFileSync(site.databasePath).equals(readFileSync(other.databasePath))).toBe(true);
    expect(new Set(readdirSync(site.workspacePath, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(readdirSync(other.workspacePath, { recursive: true, encoding: 'utf8' })),
    );
    withFile(site.databasePath, (connection) => connection.exec("update pages set title = 'Changed' where id = 1"));
    writeFileSync(join(site.workspacePath, 'robots.txt'), 'changed');
    expect(buildSampleSite(SOURCE, target)).toEqual(site);
    expect(rows(site.databasePath, 'select title from pages where id = 1')).toEqual([['Changed']]);
    expect(readFileSync(join(site.workspacePath, 'robots.txt'), 'utf8')).toBe('changed');
  });

  it('has pages worth working on', () => {
    const { databasePath } = buildSampleSite(SOURCE, join(temporaryFolder(), 'sample'));
    const one = (sql: string): unknown => (rows(databasePath, sql)[0] as unknown[])[0];
    expect(one('select count(*) from pages')).toBe(60);
    expect(one('select count(*) from content_elements')).toBe(180);
    expect(one('select count(*) from pages where meta_description is null')).toBe(7);
    expect(one('select count(*) from pages where length(meta_description) > 155')).toBe(3);
    expect(one('select title from pages where id = 42')).toBe('Opening hours');
    expect(one('select count(*) from files where alt_text is null')).toBe(3);
    expect(one('select count(*) from page_log')).toBe(0);
    expect(rows(databasePath, 'pragma foreign_key_check')).toEqual([]);
  });

  it('counts the effect of an approved update', async () => {
    const { databasePath, workspacePath } = buildSampleSite(SOURCE, join(temporaryFolder(), 'sample'));
    const tools = new InProcessTools({
      runId: 'r',
      ownerId: 1,
      protectedPaths: [],
      databases: [{ name: 'site', path: databasePath }],
      workspaces: [{ name: 'site', path: workspacePath }],
    });
    const values = { meta_description: 'The lending desk is open on Tuesday, Thursday, Friday and Saturday.' };
    const result = await tools.approve('update_record', { database: 'site', table: 'pages', key: { id: 42 }, values });
    expect(result).toMatchObject({ outcome: 'ok' });
    expect(rows(databasePath, 'select page_id, field, new_value from page_log')).toEqual([
      [42, 'meta_description', values.meta_description],
    ]);
  });

  it('begins an interrupted build again', () => {
    const target = join(temporaryFolder(), 'sample');
    const { databasePath } = buildSampleSite(SOURCE, target);
    rmSync(databasePath);
    writeFileSync(`${databasePath}.new`, 'half a file');
    mkdirSync(join(target, 'workspace.new'));
    buildSampleSite(SOURCE, target);
    expect(rows(databasePath, 'select count(*) from pages')).toEqual([[60]]);
    expect(existsSync(`${databasePath}.new`)).toBe(false);
  });

  it('refuses a folder that holds something else', () => {
    const target = temporaryFolder();
    writeFileSync(join(target, 'thesis.txt'), 'mine');
    expect(() => buildSampleSite(SOURCE, target)).toThrow('not a sample site');
    expect(readdirSync(target)).toEqual(['thesis.txt']);
  });
});

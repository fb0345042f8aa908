import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { installationPaths, dataFolder } from '../../src-main/system/paths.ts';
import type { ToolContext } from '../../src-main/domain/tool.ts';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { buildRegistry } from '../../src-main/tools/registry.ts';

/** What stood on the card beside the values binds the write as well: the table's defaults and its triggers. */
describe('a footprint', () => {
  let folder: string;
  let path: string;
  let context: ToolContext;
  const registry = buildRegistry(BUILTIN_TOOLS);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-binding-'));
    path = join(folder, 'site.db');
    run(`create table pages (id integer primary key, title text not null, state text not null default 'draft');
      insert into pages (id, title) values (1, 'old')`);
    context = { runId: 'r', ownerId: 1, databases: [{ name: 'site', path }], workspaces: [], protectedPaths: [] };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(sql: string): void {
    const database = openSqlite(path);
    database.exec(sql);
    database.close();
  }
  const rows = (): unknown[] => {
    const database = openSqlite(path);
    const all = database.prepare('select * from pages').all();
    database.close();
    return all;
  };

  it.each([
    ['update_record', { key: { id: 1 }, values: { title: 'new' } }],
    ['create_record', { values: { title: 'made' } }],
    ['create_record', { values: { id: 7, title: 'made' } }],
    ['delete_record', { key: { id: 1 } }],
  ])(
    'H-172 holds %s %j to the triggers and the declaration that were there when the card was made',
    async (name, args) => {
      const tool = registry.find(name);
      const call = { database: 'site', table: 'pages', ...args };
      const planned = await tool?.plan?.(call, context, new Map());
      expect(planned?.preview.kind).toBe('record');
      const before = rows();
      run(`create trigger wipe after update on pages begin update pages set state = 'wiped' where id = new.id; end`);
      expect(await tool?.execute(call, context, planned?.footprint ?? null)).toMatchObject({ outcome: 'changed' });
      expect(rows()).toEqual(before);
      run('drop trigger wipe');
      run('alter table pages add column note text');
      expect(await tool?.execute(call, context, planned?.footprint ?? null)).toMatchObject({ outcome: 'changed' });
    },
  );

  it.each([
    ['write_file', { path: 'a.txt', content: 'new' }],
    ['edit_file', { path: 'a.txt', old_text: 'same', new_text: 'new' }],
    ['delete_file', { path: 'a.txt' }],
    ['move_file', { from: 'a.txt', to: 'b.txt' }],
  ])('T-46 holds %s to the folder that was there when the card was made', async (name, args) => {
    for (const each of ['one', 'two']) {
      mkdirSync(join(folder, each));
      writeFileSync(join(folder, each, 'a.txt'), 'same');
    }
    const at = (place: string): ToolContext => ({ ...context, workspaces: [{ name: 'site', path: place }] });
    const tool = registry.find(name);
    const call = { workspace: 'site', ...args };
    const planned = await tool?.plan?.(call, at(join(folder, 'one')), new Map());
    expect(planned?.preview.kind).toBe('file');
    const elsewhere = await tool?.execute(call, at(join(folder, 'two')), planned?.footprint ?? null);
    expect(elsewhere).toMatchObject({ outcome: 'changed' });
    symlinkSync(join(folder, 'two'), join(folder, 'link'));
    const linked = await tool?.execute(call, at(join(folder, 'link')), planned?.footprint ?? null);
    expect(linked).toMatchObject({ outcome: 'changed' });
    expect(readdirSync(join(folder, 'two'))).toEqual(['a.txt']);
    expect(readFileSync(join(folder, 'two', 'a.txt'), 'utf8')).toBe('same');
    const here = await tool?.execute(call, at(join(folder, 'one')), planned?.footprint ?? null);
    expect(here).toMatchObject({ outcome: 'ok' });
  });

  it.each([
    ['write_file', { workspace: 'site', path: 'a.txt', content: 'new' }],
    ['update_record', { database: 'site', table: 'pages', key: { id: 1 }, values: { title: 'new' } }],
  ])(
    'holds %s to what it was to become, too: the same state and another outcome is no approval',
    async (name, args) => {
      writeFileSync(join(folder, 'a.txt'), 'same');
      context = { ...context, workspaces: [{ name: 'site', path: folder }] };
      const tool = registry.find(name);
      const planned = await tool?.plan?.(args, context, new Map());
      expect(planned?.footprint).not.toBeNull();
      const other = { before: planned?.footprint?.before ?? '', after: 'f'.repeat(64) };
      expect(await tool?.execute(args, context, other)).toMatchObject({ outcome: 'changed', write: null });
      expect(await tool?.execute(args, context, planned?.footprint ?? null)).toMatchObject({ outcome: 'ok' });
    },
  );

  it('keeps the data folder from the tools also when the database stands elsewhere', () => {
    expect(installationPaths(join(folder, 'elsewhere.db')).protected).toContain(dataFolder());
  });
});

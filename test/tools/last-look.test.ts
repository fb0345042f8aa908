import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as PathGuard from '../../src-main/tools/path-guard.ts';
import { InProcessTools, makePlace, withFile } from '../support/tool-fixtures.ts';

/** What another program does once a write has been prepared, just before it looks at its target for the last time. */
const other = vi.hoisted(() => ({ program: null as (() => void) | null }));

vi.mock('../../src-main/tools/path-guard.ts', async (original) => {
  const real = await original<typeof PathGuard>();
  return {
    ...real,
    isStillGuarded(path: PathGuard.GuardedPath) {
      other.program?.();
      return real.isStillGuarded(path);
    },
  };
});
afterEach(() => {
  other.program = null;
});

describe('the last look before a file is changed', () => {
  it.each([
    ['write_file', { path: 'a.txt', content: 'b' }],
    ['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }],
    ['move_file', { from: 'a.txt', to: 'b.txt' }],
    ['delete_file', { path: 'a.txt' }],
  ] as const)('T-46 finds what another program wrote after the comparison (%s)', async (name, args) => {
    const place = makePlace();
    const file = join(place.workspace, 'a.txt');
    writeFileSync(file, 'a');
    const tools = new InProcessTools(place.context);
    const { footprint } = await tools.plan(name, { workspace: 'site', ...args });
    other.program = () => writeFileSync(file, 'theirs');
    expect(await tools.execute(name, { workspace: 'site', ...args }, footprint)).toMatchObject({
      outcome: 'changed',
      write: null,
    });
    expect(readdirSync(place.workspace)).toEqual(['a.txt']);
    expect(readFileSync(file, 'utf8')).toBe('theirs');
  });
});

describe('a folder that is moved away after the comparison', () => {
  it.each([
    ['write_file', { path: 'sub/a.txt', content: 'b' }],
    ['edit_file', { path: 'sub/a.txt', old_text: 'a', new_text: 'b' }],
    ['move_file', { from: 'sub/a.txt', to: 'sub/b.txt' }],
    ['delete_file', { path: 'sub/a.txt' }],
  ] as const)('T-46 is noticed: %s changes nothing outside of the workspace', async (name, args) => {
    const place = makePlace();
    const inside = join(place.workspace, 'sub');
    const outside = join(place.folder, 'elsewhere');
    mkdirSync(inside);
    writeFileSync(join(inside, 'a.txt'), 'a');
    const tools = new InProcessTools(place.context);
    const { footprint } = await tools.plan(name, { workspace: 'site', ...args });
    other.program = () => {
      other.program = null;
      renameSync(inside, outside);
      symlinkSync(outside, inside);
    };
    const result = await tools.execute(name, { workspace: 'site', ...args }, footprint);
    expect(result).toMatchObject({ write: null });
    expect(result.outcome).not.toBe('ok');
    expect(readdirSync(outside)).toEqual(['a.txt']);
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('a');
  });
});

describe('what an approved record would become', () => {
  it('T-46 is compared as well: a column that now stores the same value differently is a change', async () => {
    const pages = (type: string): string => `create table pages (id integer primary key, rank ${type} not null)`;
    const place = makePlace(pages('text'));
    const tools = new InProcessTools(place.context);
    const args = { database: 'site', table: 'pages', values: { id: 7, rank: '5' } };
    const { footprint } = await tools.plan('create_record', args);
    withFile(place.databasePath, (connection) => connection.exec(`drop table pages; ${pages('integer')}`));
    expect(await tools.execute('create_record', args, footprint)).toMatchObject({ outcome: 'changed', write: null });
    expect(withFile(place.databasePath, (connection) => connection.prepare('select * from pages').all())).toEqual([]);
  });
});

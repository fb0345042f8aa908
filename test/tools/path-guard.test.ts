import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardPath, guardWritePath, splitPath } from '../../src-main/tools/path-guard.ts';
import { type Place, makePlace } from '../support/tool-fixtures.ts';

const outcome = (checked: { ok: boolean; outcome?: string; reason?: string }): string =>
  checked.ok ? 'passed' : `${checked.outcome}: ${checked.reason}`;

describe('guardPath', () => {
  it.each([
    '../secret',
    'a/../../secret',
    'a/..',
    '..',
    '/etc/hostname',
    '//server/share',
    'C:/windows',
    'c:windows',
    'a\\..\\b',
    '\\\\server\\share',
    'file:///etc/hostname',
    'a\0b',
    'x/\0',
    'a\uD800',
  ])('refuses %j whatever is there', (path) => {
    expect(outcome(guardPath(makePlace().context, 'site', path))).toMatch(/^refused: /);
  });

  it.each(['nul', 'con.txt', 'a/LPT1', 'trailing.', 'trailing ', 'aa:b', 'what?'])(
    'refuses %j on Windows only',
    (path) => {
      expect(splitPath(path, 'win32').ok).toBe(false);
      expect(splitPath(path, 'linux').ok).toBe(true);
    },
  );

  it('normalises harmless spellings to one path', () => {
    const { context, workspace } = makePlace();
    mkdirSync(join(workspace, 'css'));
    writeFileSync(join(workspace, 'css', 'site.css'), '');
    for (const path of ['css/site.css', './css//site.css', 'css/./site.css', 'css/site.css/']) {
      expect(guardPath(context, 'site', path)).toMatchObject({ ok: true, value: { relative: 'css/site.css' } });
    }
  });

  it('takes odd but harmless names as they are', () => {
    const { context, workspace } = makePlace();
    const names = [
      'caf\u00e9',
      'cafe\u0301',
      'a\u202Eb.txt',
      'line\nbreak',
      'tab\there',
      '...',
      '..a',
      '名前',
      ' lead',
      'q\'"q',
      '-rf',
      '*',
    ];
    for (const name of names) {
      writeFileSync(join(workspace, name), name);
      expect(guardPath(context, 'site', name)).toMatchObject({ ok: true, value: { relative: name } });
    }
  });

  it.each<[string, (place: Place) => string]>([
    [
      'a link to a file',
      ({ workspace, folder }) => (
        writeFileSync(join(folder, 'out'), ''),
        symlinkSync(join(folder, 'out'), join(workspace, 'l')),
        'l'
      ),
    ],
    [
      'a link to a file inside',
      ({ workspace }) => (writeFileSync(join(workspace, 'in'), ''), symlinkSync('in', join(workspace, 'l')), 'l'),
    ],
    ['a link to a folder', ({ workspace, folder }) => (symlinkSync(folder, join(workspace, 'l')), 'l/site.db')],
    ['a dangling link', ({ workspace }) => (symlinkSync('nowhere', join(workspace, 'l')), 'l')],
    [
      'a link in the middle',
      ({ workspace, folder }) => (
        mkdirSync(join(workspace, 'a')),
        symlinkSync(folder, join(workspace, 'a', 'l')),
        'a/l/new'
      ),
    ],
    ['a link to itself', ({ workspace }) => (symlinkSync('l', join(workspace, 'l')), 'l')],
  ])('refuses %s', (_what, make) => {
    const place = makePlace();
    const path = make(place);
    expect(outcome(guardPath(place.context, 'site', path))).toMatch(/^refused: .*symbolic link/);
  });

  it('refuses a file as a folder and an unknown workspace with a sentence that helps', () => {
    const { context, workspace } = makePlace();
    writeFileSync(join(workspace, 'f'), '');
    expect(outcome(guardPath(context, 'site', 'f/g'))).toBe('failed: "f" is a file, so nothing can be inside it.');
    expect(outcome(guardPath(context, 'other', 'f'))).toContain('Use one of: site.');
  });
});

describe('protected paths', () => {
  it.each<[string, (place: Place) => string]>([
    ['equals it', (place) => place.dataFolder],
    ['contains it', (place) => place.folder],
    ['lies in it', (place) => (mkdirSync(join(place.dataFolder, 'sub')), join(place.dataFolder, 'sub'))],
    [
      'reaches it by a link',
      (place) => (symlinkSync(place.dataFolder, join(place.folder, 'link')), join(place.folder, 'link')),
    ],
    ['contains it by another spelling', (place) => `${place.folder}/workspace/..//`],
  ])('refuses a workspace that %s', (_how, pathOf) => {
    const place = makePlace();
    const context = { ...place.context, workspaces: [{ name: 'site', path: pathOf(place) }] };
    expect(outcome(guardPath(context, 'site', 'a'))).toMatch(/^refused: .*own data folder/);
  });

  it('refuses hard links to the key, the database and any other file of the data folder', () => {
    const place = makePlace();
    mkdirSync(join(place.dataFolder, 'workers'));
    for (const name of ['data.key', 'countersign.db', 'countersign.db-wal', 'workers/w.alive']) {
      writeFileSync(join(place.dataFolder, name), 'x');
      const link = name.replace('/', '_');
      linkSync(join(place.dataFolder, name), join(place.workspace, link));
      expect(outcome(guardPath(place.context, 'site', link))).toMatch(/^refused: .*Countersign itself/);
    }
  });

  it('refuses a file tool on a database of the run, by hard link too', () => {
    const place = makePlace('create table t (a)');
    linkSync(place.databasePath, join(place.workspace, 'copy.db'));
    expect(outcome(guardWritePath(place.context, 'site', 'copy.db'))).toMatch(/record tools/);
    const inside = { ...place.context, databases: [{ name: 'w', path: join(place.workspace, 'w.db') }] };
    expect(outcome(guardWritePath(inside, 'site', 'w.db-wal'))).toMatch(/record tools/);
    expect(outcome(guardWritePath(inside, 'site', 'other.db'))).toBe('passed');
  });
});

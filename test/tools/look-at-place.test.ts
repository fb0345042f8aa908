import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookAtPlace } from '../../src-main/tools/look-at-place.ts';

describe('lookAtPlace', () => {
  let folder: string;
  let own: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-place-'));
    own = join(folder, 'own');
    mkdirSync(own);
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, 'site.db'), '');
    writeFileSync(join(own, 'console.db'), '');
    symlinkSync(own, join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const look = (path: string, kind: 'file' | 'folder') => lookAtPlace({ name: 'a', path }, kind, [own]);

  it('tells files from folders and both from nothing', () => {
    expect(look(join(folder, 'site.db'), 'file')).toMatchObject({ exists: true, isAbsolute: true, isReserved: false });
    expect(look(join(folder, 'site'), 'file')).toMatchObject({ exists: false });
    expect(look(join(folder, 'site'), 'folder')).toMatchObject({ exists: true, isReserved: false });
    expect(look(join(folder, 'gone'), 'folder')).toMatchObject({ exists: false });
  });

  it.each(['a\0b', 'x'.repeat(5_000), '\ud800'])('finds nothing under the impossible name %j', (name) => {
    expect(look(join(folder, name), 'file')).toMatchObject({ exists: false });
  });

  it('looks at whole paths only, with the home folder written out', () => {
    expect(look('package.json', 'file')).toMatchObject({ isAbsolute: false, exists: false });
    expect(look('~', 'folder')).toMatchObject({ path: homedir(), exists: true });
    expect(look('~/a/b', 'file').path).toBe(join(homedir(), 'a', 'b'));
    expect(look('~other/a', 'file')).toMatchObject({ path: '~other/a', isAbsolute: false });
  });

  it('notices what belongs to the console, by any path, and what holds it', () => {
    expect(look(join(own, 'console.db'), 'file')).toMatchObject({ isReserved: true });
    expect(look(join(folder, 'link', 'console.db'), 'file')).toMatchObject({ isReserved: true });
    expect(look(own, 'folder')).toMatchObject({ isReserved: true });
    expect(look(folder, 'folder')).toMatchObject({ isReserved: true });
  });
});

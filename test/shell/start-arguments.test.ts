import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startArguments } from '../../src-main/shell/start-arguments.ts';
import { installationPaths, windowFolder } from '../../src-main/system/paths.ts';

describe('the arguments of the window', () => {
  it.each([
    [['electron', '.'], undefined, false],
    [['electron', '--no-sandbox', '.', '--smoke'], undefined, true],
    [['electron', '.', '--db', '/a/b.db'], '/a/b.db', false],
    [['electron', '.', '--db=/a/b.db', '--smoke'], '/a/b.db', true],
    [['electron', '.', '--remote-debugging-port=0', '--dbx=1'], undefined, false],
  ])('%j name the database %s', (argv, databasePath, isSmoke) => {
    expect(startArguments(argv)).toEqual({ databasePath, isSmoke });
  });

  it.each([[['.', '--db']], [['.', '--db=']], [['.', '--db', '--smoke']], [['.', '--db', '']]])(
    '%j are refused: a database was meant, and it is not the usual one',
    (argv) => {
      expect(() => startArguments(argv)).toThrow('--db needs the path of a database.');
    },
  );
});

describe("the folder of a database's windows", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-folder-'));
    vi.stubEnv('COUNTERSIGN_DATA', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is the usual one for the data folder's database, however it is named", () => {
    const usual = join(folder, 'window');
    expect(windowFolder()).toBe(usual);
    expect(windowFolder(join(folder, 'countersign.db'))).toBe(usual);
    expect(windowFolder(join(folder, 'x', '..', 'countersign.db'))).toBe(usual);
  });

  it('is one of its own for each other database, the same at every start', () => {
    const [first, second] = [windowFolder('/a/one.db'), windowFolder('/a/two.db')];
    expect(new Set([first, second, windowFolder()]).size).toBe(3);
    expect(windowFolder('/a/../a/one.db')).toBe(first);
  });

  it('is kept from the tools, as everything in the data folder', () => {
    const { protected: kept } = installationPaths('/a/one.db');
    expect(kept.some((path) => windowFolder('/a/one.db').startsWith(path))).toBe(true);
  });
});

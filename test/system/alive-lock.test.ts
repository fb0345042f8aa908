import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdAliveLock, probeAliveLock } from '../../src-main/system/alive-lock.ts';
import { isRecentEnough, openSqlite } from '../../src-main/system/open-sqlite.ts';
import { temporaryFolder } from '../support/tool-fixtures.ts';

describe('proof of life', () => {
  it('is missing, then held, then free', () => {
    const path = join(temporaryFolder(), 'w.alive');
    expect(probeAliveLock(path)).toBe('missing');
    expect(existsSync(path)).toBe(false);
    const lock = holdAliveLock(path);
    expect(probeAliveLock(path)).toBe('held');
    expect(probeAliveLock(path)).toBe('held');
    lock.release();
    lock.release();
    expect(probeAliveLock(path)).toBe('free');
  });

  it('is refused to a second holder', () => {
    const path = join(temporaryFolder(), 'w.alive');
    const lock = holdAliveLock(path);
    expect(() => holdAliveLock(path)).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    lock.release();
  });
});

describe('openSqlite', () => {
  it.each([
    ['3.51.3', true],
    ['3.51.2', false],
    ['3.52.0', true],
    ['3.9.9', false],
    ['4.0.0', true],
    ['nonsense', false],
  ])('judges version %s as %s', (version, isNew) => {
    expect(isRecentEnough(version)).toBe(isNew);
  });

  it('uses the add-on that the environment names', () => {
    process.env['COUNTERSIGN_SQLITE_BINDING'] = '/nowhere/binding.node';
    try {
      expect(() => openSqlite(':memory:')).toThrow(/nowhere/);
    } finally {
      delete process.env['COUNTERSIGN_SQLITE_BINDING'];
    }
  });
});

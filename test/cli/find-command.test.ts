import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConsole } from '../../src-main/compose.ts';
import { cli } from '../support/cli.ts';

interface Found {
  runs: { label: string; status: string }[];
  count: number;
  next: string | null;
}

describe('find', () => {
  let folder: string;
  let database: string[];
  const find = async (...words: string[]): Promise<{ code: number | null; found: Found }> => {
    const ended = await cli(['find', ...words, '--json', ...database]);
    return { code: ended.code, found: ended.json() as Found };
  };
  const labels = async (...words: string[]) => (await find(...words)).found.runs.map(({ label }) => label);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-find-'));
    database = ['--db', join(folder, 'countersign.db')];
    expect((await cli(['sample', join(folder, 'site'), ...database])).code).toBe(0);
    const opened = openConsole(database[1]);
    const configuration = await opened.installation.store.findConfiguration('sample');
    for (const label of ['Seite 7', 'Größe', 'Page 42']) {
      const wanted = { label, prompt: 'Check page 42', maxRounds: null, allowedToolNames: null };
      await opened.runtime.enqueue(opened.actor, { ...wanted, configurationId: configuration?.id ?? '' });
    }
    opened.close();
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('lists runs by word, status and configuration, the newest first, page by page', async () => {
    expect(await labels('GRÖßE')).toEqual(['Größe']);
    expect(await labels('42', 'pag', '--status', 'active')).toEqual(['Page 42']);
    expect(await labels('--days', '1', '--configuration', 'sample', '--status', 'needs-me')).toEqual([]);
    const first = await find('--limit', '2');
    expect(first).toMatchObject({ code: 0, found: { count: 3, runs: [{ label: 'Page 42' }, { label: 'Größe' }] } });
    expect(await find('--limit', '2', '--after', String(first.found.next))).toMatchObject({
      found: { runs: [{ label: 'Seite 7' }], count: 1, next: null },
    });
    const shown = await cli(['find', '--limit', '2', ...database]);
    expect(shown.stdout).toMatch(/queued .*Page 42[^]*3 from here on\. Go on with: --after \w+\n$/);
    expect((await cli(['find', 'no such run', ...database])).stdout).toBe('No run fits.\n');
  }, 120_000);

  it.each([
    [['--status', 'lost'], '--status is one of needs_me'],
    [['--after', '../../x'], '--after takes'],
    [['--limit', '201'], '--limit must be'],
    [['--days', '0'], '--days must be'],
    [['x'.repeat(201)], 'At most 200 characters'],
  ])('asks nothing when it is called wrongly: %j', async (words, sentence) => {
    const ended = await cli(['find', ...words, ...database]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(sentence);
  });
});

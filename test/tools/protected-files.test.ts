import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installationPaths } from '../../src-main/system/paths.ts';
import { isProtected } from '../../src-main/tools/protected-paths.ts';
import { InProcessTools, makePlace } from '../support/tool-fixtures.ts';

/** An installation whose database stands in a folder that is not its own: single files are protected, not the folder. */
describe('an installation in a folder of somebody else', () => {
  it.each([
    'countersign.db',
    'countersign.db.key',
    'countersign.db.key.next',
    'countersign.db.log',
    'countersign.db.log.1',
  ])('keeps %s from the tools, also under the name of a hard link in another folder', async (name) => {
    const place = makePlace();
    writeFileSync(join(place.folder, name), 'ours');
    linkSync(join(place.folder, name), join(place.workspace, 'theirs.txt'));
    const { protected: protectedPaths } = installationPaths(join(place.folder, 'countersign.db'));
    expect(protectedPaths).not.toContain(place.folder);
    const tools = new InProcessTools({ ...place.context, protectedPaths });
    expect(await tools.execute('read_file', { workspace: 'site', path: 'theirs.txt' })).toMatchObject({
      outcome: 'refused',
    });
  });

  it.each(['-wal', '-shm', '-journal'])('keeps the %s file beside its database, before it is there', (suffix) => {
    const database = join(makePlace().folder, 'countersign.db');
    expect(isProtected(database + suffix, [database])).toBe(true);
    expect(isProtected(`${database}.txt`, [database])).toBe(false);
  });
});

import { existsSync, readFileSync, writeFileSync, type PathLike } from 'node:fs';
import type * as Fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InProcessTools, makePlace } from '../support/tool-fixtures.ts';

/** The name that its folder does not let go of. */
const held = vi.hoisted(() => ({ name: '' }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>();
  return {
    ...real,
    unlinkSync(path: PathLike) {
      if (held.name !== '' && String(path).endsWith(`/${held.name}`))
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      real.unlinkSync(path);
    },
  };
});
afterEach(() => {
  held.name = '';
});

describe('move_file, where the old name cannot be taken away', () => {
  it('leaves nothing under the new one: nobody would look there', async () => {
    const place = makePlace();
    const [from, to] = [join(place.workspace, 'a.txt'), join(place.workspace, 'b.txt')];
    writeFileSync(from, 'a');
    const tools = new InProcessTools(place.context);
    const args = { workspace: 'site', from: 'a.txt', to: 'b.txt' };
    const { footprint } = await tools.plan('move_file', args);
    held.name = 'a.txt';
    expect(await tools.execute('move_file', args, footprint)).toMatchObject({ outcome: 'failed', write: null });
    expect([existsSync(to), readFileSync(from, 'utf8')]).toEqual([false, 'a']);
    held.name = '';
    expect(await tools.execute('move_file', args, footprint)).toMatchObject({ outcome: 'ok' });
  });
});

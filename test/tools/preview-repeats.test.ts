import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUILTIN_TOOLS } from '../../src-main/tools/builtin-tools.ts';
import { InProcessTools, makePlace, type TestCall } from '../support/tool-fixtures.ts';

const page = { database: 'site', table: 'pages' };
const file = (rest: object): TestCall[1] => ({ workspace: 'site', path: 'a.txt', ...rest });

/** One call of every tool that writes. */
const CALLS: TestCall[] = [
  ['update_record', { ...page, key: { id: 42 }, values: { title: 'Größe 1,5', views: 1234567.5 } }],
  ['create_record', { ...page, values: { title: 'new' } }],
  ['delete_record', { ...page, key: { id: 42 } }],
  ['write_file', file({ content: 'new\n' })],
  ['edit_file', file({ old_text: 'old', new_text: 'new' })],
  ['move_file', { workspace: 'site', from: 'a.txt', to: 'b.txt' }],
  ['delete_file', file({})],
];

/** Does the work where nothing that speaks the language of the process can be used: this process cannot change its own. */
async function withoutLocale<T>(work: () => Promise<T>): Promise<T> {
  const refuse = (): never => {
    throw new Error('A preview must not depend on the language of the process.');
  };
  for (const prototype of [Number.prototype, BigInt.prototype, Date.prototype, Array.prototype])
    vi.spyOn(prototype as { toLocaleString: () => string }, 'toLocaleString').mockImplementation(refuse);
  vi.spyOn(Date.prototype, 'toLocaleDateString').mockImplementation(refuse);
  vi.spyOn(Date.prototype, 'toLocaleTimeString').mockImplementation(refuse);
  vi.spyOn(String.prototype, 'localeCompare').mockImplementation(refuse);
  vi.stubGlobal('Intl', new Proxy({}, { get: refuse }));
  try {
    return await work();
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}

describe('a preview', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  it('H-070 is tried for every tool that writes', () => {
    const writing = BUILTIN_TOOLS.filter(({ definition }) => definition.effect !== 'read_only');
    expect(CALLS.map(([name]) => name).toSorted()).toEqual(writing.map(({ definition }) => definition.name).toSorted());
  });

  it.each(CALLS)('H-070 of %s is the same at another time and in another language', async (...call) => {
    const place = makePlace(`create table pages (id integer primary key, title text, views real);
      insert into pages values (41, 'Home', 1), (42, 'About', 2);`);
    writeFileSync(join(place.workspace, 'a.txt'), 'old\n');
    const planned = async (moment: string, language: string) => {
      vi.setSystemTime(new Date(moment));
      for (const name of ['LANG', 'LC_ALL', 'LANGUAGE']) vi.stubEnv(name, language);
      return withoutLocale(() => new InProcessTools(place.context).plan(...call));
    };
    const first = await planned('2026-01-31T23:59:59Z', 'en_US.UTF-8');
    expect(first.preview.kind).not.toBe('failed');
    expect(await planned('2031-07-01T12:00:00Z', 'de_DE.UTF-8')).toEqual(first);
  });
});

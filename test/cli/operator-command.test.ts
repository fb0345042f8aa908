import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError, type Invocation } from '../../src-main/cli/command.ts';
import { diagnostics } from '../../src-main/cli/diagnostics-command.ts';
import { operator } from '../../src-main/cli/operator-command.ts';
import { openAsNamed } from '../../src-main/cli/passphrase-input.ts';
import { openConsole, type Console } from '../../src-main/compose.ts';

const OF_BEN = 'correct horse battery';
const VARIABLES = ['COUNTERSIGN_OPERATOR_PASSPHRASE', 'COUNTERSIGN_NEW_PASSPHRASE'] as const;

describe('the command for people', () => {
  let folder: string;
  /** Of the person whose operating-system account it is. */
  let account: Console;
  /** Of who works with it now. */
  let opened: Console;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-people-'));
    account = openConsole(join(folder, 'countersign.db'));
    opened = account;
  });
  afterEach(() => {
    for (const variable of VARIABLES) delete process.env[variable];
    opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Said {
    value: Record<string, unknown>;
    lines: string[];
  }
  /** At a terminal whose person types these; null = without one. */
  function invocation(positionals: string[], options: Invocation['options'], typed: string[] | null, said: Said) {
    return {
      positionals,
      options,
      open: () => opened,
      answer: (value: unknown, lines: string[]) => Object.assign(said, { value, lines }),
      canAsk: typed !== null,
      askHidden: async () => typed?.shift() ?? null,
    } as unknown as Invocation;
  }
  async function call(
    positionals: string[],
    options: Invocation['options'] = {},
    typed: string[] | null = [OF_BEN, OF_BEN],
  ) {
    const said: Said = { value: {}, lines: [] };
    return { code: await operator.run(invocation(positionals, options, typed, said)), ...said };
  }
  /** Goes on as another person. */
  async function become(name: string, passphrase: string) {
    const ofTheAccount = {
      ...invocation([], { as: name }, [passphrase], { value: {}, lines: [] }),
      open: () => account,
    };
    const proved = await openAsNamed(ofTheAccount, name);
    if (proved.ok) opened = proved.value;
    return proved.ok ? 'proved' : proved.refusal.kind;
  }

  it('adds people who prove themselves with a passphrase, and shows them without it', async () => {
    const added = await call(['add', 'Ben'], { grant: ['agent_approve'] });
    expect(added).toMatchObject({ code: 0, value: { id: 2, name: 'Ben', isAdmin: false, grants: ['agent_approve'] } });
    expect(await call(['add', 'BEN'])).toMatchObject({ code: 1, value: { refusal: { kind: 'invalid_request' } } });
    await call(['set', 'ben'], { enabled: 'no', grant: ['tasks_use'], 'no-grant': ['agent_approve'] });
    const listed = await call([]);
    expect(listed.value).toMatchObject([
      { id: 1, isAdmin: true, hasAccount: true, hasPassphrase: false },
      { id: 2, isEnabled: false, grants: ['tasks_use'], hasAccount: false, hasPassphrase: true },
    ]);
    expect(listed.lines.join('\n')).toMatch(
      /1 {2}.*administrator; system account\n2 {2}Ben {2}tasks_use; passphrase; switched off/,
    );
    expect(Object.keys((listed.value as unknown as object[])[1] ?? {}).toSorted()).toEqual([
      'grants',
      'hasAccount',
      'hasPassphrase',
      'id',
      'isAdmin',
      'isEnabled',
      'name',
    ]);
  });

  it('lets nobody go who is the last to look after the installation', async () => {
    const { name } = (await call([])).value[0 as never] as { name: string };
    for (const options of [{ enabled: 'no' }, { admin: 'no' }])
      expect(await call(['set', name], options)).toMatchObject({
        code: 1,
        value: { refusal: { kind: 'last_administrator' } },
      });
  });

  it('lets a person change their own passphrase and nothing else', async () => {
    await call(['add', 'Ben']);
    expect(await become('Ben', OF_BEN)).toBe('proved');
    process.env.COUNTERSIGN_NEW_PASSPHRASE = 'another one of ben';
    expect(await call(['passphrase', 'Ben'], { as: 'Ben' }, null)).toMatchObject({ code: 0 });
    for (const [words, options] of [
      [['passphrase', 'anybody'], { as: 'Ben' }],
      [['add', 'Cleo'], { as: 'Ben' }],
      [['set', 'Ben'], { admin: 'yes' }],
    ] as const)
      expect(await call([...words], options)).toMatchObject({
        code: 1,
        value: { refusal: { kind: 'not_administrator' } },
      });
    expect(await become('Ben', OF_BEN)).toBe('proof_refused');
    expect(await become('Ben', 'another one of ben')).toBe('proved');
  }, 60_000);

  it('needs no passphrase for the person of the account', async () => {
    const { name } = (await call([])).value[0 as never] as { name: string };
    expect(await become(name.toUpperCase(), 'never asked for')).toBe('proved');
  });

  it('takes the passphrase from the environment, by another name where --as has taken the first', async () => {
    process.env.COUNTERSIGN_OPERATOR_PASSPHRASE = OF_BEN;
    expect(await call(['add', 'Ben'], {}, null)).toMatchObject({ code: 0 });
    await expect(call(['add', 'Cleo'], { as: 'Ben' }, null)).rejects.toThrow('COUNTERSIGN_NEW_PASSPHRASE');
  });

  it.each([
    ['without a terminal', null, /COUNTERSIGN_OPERATOR_PASSPHRASE/],
    ['typed differently the second time', [OF_BEN, 'correct house battery'], /not the same/],
    ['when the person leaves', [], /No passphrase/],
  ])('keeps none %s', async (_, typed, message) => {
    const adding = call(['add', 'Ben'], {}, typed);
    await expect(adding).rejects.toThrow(UsageError);
    await expect(adding).rejects.toThrow(message);
    expect((await call([])).value).toHaveLength(1);
  });

  it.each([
    ['no such word', ['remove', 'Ben'], {}, 'not remove'],
    ['a name of every object', ['constructor', 'Ben'], {}, 'not constructor'],
    ['no name', ['add'], {}, 'Name one person'],
    ['two names', ['add', 'Ben', 'Cleo'], {}, 'Name one person'],
    ['neither yes nor no', ['set', 'Ben'], { admin: 'true' }, '--admin is yes or no'],
    ['a right there is none of', ['add', 'Ben'], { grant: ['everything'] }, '--grant is one of'],
    ['a right given and taken', ['set', 'Ben'], { grant: ['tasks_use'], 'no-grant': ['tasks_use'] }, 'not both'],
    ['a new person who is switched off', ['add', 'Ben'], { enabled: 'no' }, 'enabled'],
  ])('is called wrongly with %s', async (_, words, options, message) => {
    await expect((async () => call(words, options))()).rejects.toThrow(message);
  });

  it('keeps passphrases out of answers, events, file, log and diagnostics, the wrong ones too', async () => {
    const planted = [OF_BEN, 'Wr0ng-passphrase', 'sh0rt', 'Nob0dys-passphrase'];
    const said: unknown[] = [await call(['add', 'Ben'])];
    said.push(await become('Ben', 'Wr0ng-passphrase'), await become('nobody', 'Nob0dys-passphrase'));
    said.push(await call(['passphrase', 'Ben'], {}, ['sh0rt', 'sh0rt']));
    opened.report(new Error('something else'), 'test');
    const file = join(folder, 'bundle.json');
    await diagnostics.run(invocation([file], { 'with-labels': true }, null, { value: {}, lines: [] }));
    const kept = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => ({ name, bytes: readFileSync(join(folder, name), 'latin1') }));
    expect(kept.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bundle.json', 'countersign.db', 'countersign.db-wal', 'countersign.db.log']),
    );
    for (const secret of planted) {
      expect(JSON.stringify(said)).not.toContain(secret);
      for (const { name, bytes } of kept) expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false);
    }
  });
});

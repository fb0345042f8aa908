import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import { matchesName } from '../../src-main/tools/builtin/search-files.ts';
import { replaceFile } from '../../src-main/tools/builtin/file-replace.ts';
import { readState } from '../../src-main/tools/builtin/file-state.ts';
import { diffTexts } from '../../src-main/tools/builtin/file-text.ts';
import { guardPath } from '../../src-main/tools/path-guard.ts';
import { InProcessTools, type Place, makePlace, reasonOf } from '../support/tool-fixtures.ts';

function setUp(files: Record<string, string | Buffer> = {}): {
  place: Place;
  tools: InProcessTools;
  at: (name: string) => string;
} {
  const place = makePlace();
  const at = (name: string): string => join(place.workspace, name);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(at(name), '..'), { recursive: true });
    writeFileSync(at(name), content);
  }
  return { place, tools: new InProcessTools(place.context), at };
}

const site = (rest: JsonObject): JsonObject => ({ workspace: 'site', ...rest });
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('reading files', () => {
  it('shows lines, a range of lines and what is left', async () => {
    const { tools } = setUp({ 'a.txt': 'one\ntwo\nthree\n' });
    expect((await tools.execute('read_file', site({ path: 'a.txt' }))).content).toContain('\none\ntwo\nthree\n');
    const part = await tools.execute('read_file', site({ path: 'a.txt', offset_line: 2, limit_lines: 1 }));
    expect(part.content).toMatch(/lines 2 to 2; more follow, continue with offset_line 3\]\ntwo\n$/);
  });

  it('says that a file is binary, too large or not there', async () => {
    const { tools } = setUp({
      'b.bin': Buffer.from([1, 0, 2]),
      'latin1.txt': Buffer.from([0x67, 0xfc, 0x6e]),
      'big.txt': 'x'.repeat(10 * 1024 * 1024 + 1),
    });
    expect((await tools.execute('read_file', site({ path: 'b.bin' }))).content).toContain('not UTF-8 text');
    expect((await tools.execute('read_file', site({ path: 'latin1.txt' }))).content).toContain('not UTF-8 text');
    expect((await tools.execute('read_file', site({ path: 'big.txt' }))).content).toContain('larger than 10 MB');
    expect(await tools.execute('read_file', site({ path: 'no.txt' }))).toMatchObject({ outcome: 'failed' });
  });

  it('R-151 bounds one endless line to 50 000 bytes', async () => {
    const { tools } = setUp({ 'long.txt': 'é'.repeat(60_000) });
    const { content } = await tools.execute('read_file', site({ path: 'long.txt' }));
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(50_000);
    expect(content).not.toContain('\uFFFD');
  });

  it('lists sorted names as JSON and never follows links', async () => {
    const { place, tools, at } = setUp({ 'b.txt': 'b', 'a/deep.txt': 'x', 'line\nbreak': '', 'a\u202Eb': '' });
    symlinkSync(place.folder, at('out'));
    const { content } = await tools.execute('list_files', site({ recursive: true }));
    const entries = content.split('\n').map((line) => JSON.parse(line) as { path: string; kind: string });
    expect(entries.map((entry) => entry.path)).toEqual(['a', 'a/deep.txt', 'a\u202Eb', 'b.txt', 'line\nbreak', 'out']);
    expect(entries.at(-1)).toMatchObject({ kind: 'link', sizeBytes: null });
  });

  it('searches literally, also for text that looks like a pattern, and skips binaries', async () => {
    const { tools } = setUp({ 'a.html': 'x\n(a+)+$ here\n', 'b.txt': '(A+)+$', 'c.bin': Buffer.from([0, 40, 97]) });
    const { content } = await tools.execute('search_files', site({ query: '(a+)+$' }));
    expect(content.split('\n')).toEqual([
      '{"path":"a.html","line":2,"text":"(a+)+$ here"}',
      '[1 files were not searched: not text, or larger than 2 MB]',
    ]);
    const folded = await tools.execute(
      'search_files',
      site({ query: '(a+)+$', ignore_case: true, name_pattern: '*.txt' }),
    );
    expect(folded.content).toContain('b.txt');
  });

  it('matches names with * and ? without endless backtracking', () => {
    expect(matchesName('index.html', '*.html')).toBe(true);
    expect(matchesName('index.htm', '*.html')).toBe(false);
    expect(matchesName('a1b', 'a?b')).toBe(true);
    expect(matchesName('a'.repeat(255), `${'*a'.repeat(50)}b`)).toBe(false);
  });
});

describe('writing files', () => {
  it('creates a file with its folders and shows it first', async () => {
    const { tools, at } = setUp();
    const args = site({ path: 'new/deep/robots.txt', content: 'User-agent: *\n' });
    const planned = await tools.plan('write_file', args);
    expect(planned.preview).toMatchObject({
      kind: 'file',
      action: 'create',
      sizeBytesBefore: null,
      sizeBytesAfter: 14,
    });
    expect(planned.preview).toMatchObject({ diff: '@@ -0,0 +1,1 @@\n+User-agent: *\n' });
    expect(existsSync(at('new'))).toBe(false);
    expect(await tools.execute('write_file', args, planned.footprint)).toMatchObject({
      outcome: 'ok',
      write: { kind: 'created', target: { kind: 'file', workspace: 'site', path: 'new/deep/robots.txt' } },
    });
    expect(readFileSync(at('new/deep/robots.txt'), 'utf8')).toBe('User-agent: *\n');
    expect(readdirSync(at('new/deep'))).toEqual(['robots.txt']);
  });

  it('keeps the mode of a replaced file', async () => {
    const { tools, at } = setUp({ 'run.sh': 'old\n' });
    chmodSync(at('run.sh'), 0o750);
    expect(await tools.approve('write_file', site({ path: 'run.sh', content: 'new\n' }))).toMatchObject({
      outcome: 'ok',
    });
    expect(statSync(at('run.sh')).mode & 0o7777).toBe(0o750);
  });

  it('refuses without an approved footprint and writes nothing', async () => {
    const { tools, at } = setUp({ 'a.txt': 'a' });
    for (const [name, args] of [
      ['write_file', { path: 'a.txt', content: 'b' }],
      ['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }],
      ['move_file', { from: 'a.txt', to: 'b.txt' }],
      ['delete_file', { path: 'a.txt' }],
    ] as const) {
      expect(await tools.execute(name, site(args))).toMatchObject({ outcome: 'refused', write: null });
    }
    expect(readdirSync(at('.'))).toEqual(['a.txt']);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a');
  });

  it('writes nothing when the file changed after the preview, whatever the tool', async () => {
    for (const [name, args] of [
      ['write_file', { path: 'a.txt', content: 'b' }],
      ['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }],
      ['move_file', { from: 'a.txt', to: 'b.txt' }],
      ['delete_file', { path: 'a.txt' }],
    ] as const) {
      const { tools, at } = setUp({ 'a.txt': 'a' });
      const { footprint } = await tools.plan(name, site(args));
      writeFileSync(at('a.txt'), 'somebody else');
      expect(await tools.execute(name, site(args), footprint)).toMatchObject({ outcome: 'changed', write: null });
      expect(readdirSync(at('.'))).toEqual(['a.txt']);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('somebody else');
    }
  });

  it('T-45 treats "does not exist" as a state that can change', async () => {
    const { tools, at } = setUp();
    const args = site({ path: 'a.txt', content: 'mine' });
    const { footprint } = await tools.plan('write_file', args);
    writeFileSync(at('a.txt'), 'theirs');
    expect(await tools.execute('write_file', args, footprint)).toMatchObject({ outcome: 'changed' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('theirs');
    const applied = setUp();
    const again = site({ path: 'a.txt', content: 'x' });
    const first = await applied.tools.plan('write_file', again);
    expect(await applied.tools.execute('write_file', again, first.footprint)).toMatchObject({ outcome: 'ok' });
    expect(await applied.tools.execute('write_file', again, first.footprint)).toMatchObject({ outcome: 'changed' });
  });

  it('T-51 leaves the target untouched by any number of previews', async () => {
    const { tools, at } = setUp({ 'a.txt': 'one\n' });
    const before = sha256(at('a.txt'));
    for (const content of ['two\n', 'three\n', 'four\n'])
      await tools.plan('write_file', site({ path: 'a.txt', content }));
    await tools.planTurn(
      ['edit_file', site({ path: 'a.txt', old_text: 'one', new_text: '1' })],
      ['delete_file', site({ path: 'a.txt' })],
    );
    expect(sha256(at('a.txt'))).toBe(before);
    expect(readdirSync(at('.'))).toEqual(['a.txt']);
  });

  it('recognises an applied write: the next plan starts where the approved one ended', async () => {
    for (const [name, args] of [
      ['write_file', { path: 'a.txt', content: 'new\r\n' }],
      ['edit_file', { path: 'a.txt', old_text: 'old', new_text: 'new' }],
      ['move_file', { from: 'a.txt', to: 'deep/b.txt' }],
      ['delete_file', { path: 'a.txt' }],
    ] as const) {
      const { tools } = setUp({ 'a.txt': 'old\n' });
      const { footprint } = await tools.plan(name, site(args));
      expect(await tools.execute(name, site(args), footprint)).toMatchObject({ outcome: 'ok' });
      const again = await tools.plan(name, site(args));
      expect(again.footprint?.before).toBe(footprint?.after);
      expect(again.preview.kind).toBe('failed');
    }
  });

  it('plans later calls of a turn on the result of the earlier ones', async () => {
    const { tools, at } = setUp({ 'a.txt': 'one two\n' });
    const calls = [
      ['move_file', site({ from: 'a.txt', to: 'b.txt' })],
      ['edit_file', site({ path: 'b.txt', old_text: 'two', new_text: '2' })],
      ['edit_file', site({ path: 'b.txt', old_text: 'one', new_text: '1' })],
      ['write_file', site({ path: 'a.txt', content: 'again' })],
      ['delete_file', site({ path: 'b.txt' })],
    ] as const satisfies [string, JsonObject][];
    const previews = await tools.planTurn(...calls);
    expect(previews.map((each) => (each.preview.kind === 'file' ? each.preview.action : reasonOf(each)))).toEqual([
      'move',
      'update',
      'update',
      'create',
      'delete',
    ]);
    expect(previews[2]?.preview).toMatchObject({ diff: '@@ -1,1 +1,1 @@\n-one 2\n+1 2\n' });
    for (const [index, [name, args]] of calls.entries()) {
      expect(await tools.execute(name, args, previews[index]?.footprint ?? null)).toMatchObject({ outcome: 'ok' });
    }
    expect(readdirSync(at('.'))).toEqual(['a.txt']);
  });

  it('edits only an exact, unique piece of text', async () => {
    const { tools } = setUp({ 'a.txt': 'aaa b\r\nc', 'b.bin': Buffer.from([0xff]) });
    const edit = async (old_text: string, path = 'a.txt'): Promise<string> =>
      reasonOf(await tools.plan('edit_file', site({ path, old_text, new_text: 'x' })));
    expect(await edit('aa')).toContain('more than once');
    expect(await edit('zzz')).toContain('does not stand in');
    expect(await edit('b\nc')).toContain('Windows line ends');
    expect(await edit('a', 'b.bin')).toContain('not UTF-8 text');
    expect(await edit('a', 'none.txt')).toContain('Use write_file');
    expect(await edit('aaa b')).toContain('not failed');
  });

  it('inserts the new text as it is, without replacement patterns', async () => {
    const { tools, at } = setUp({ 'a.txt': 'price: X' });
    await tools.approve('edit_file', site({ path: 'a.txt', old_text: 'X', new_text: "$& $1 $' $$" }));
    expect(readFileSync(at('a.txt'), 'utf8')).toBe("price: $& $1 $' $$");
  });

  it('never overwrites by moving', async () => {
    const { tools, at } = setUp({ 'a.txt': 'a', 'b.txt': 'b' });
    expect(reasonOf(await tools.plan('move_file', site({ from: 'a.txt', to: 'b.txt' })))).toContain(
      'already a file "b.txt"',
    );
    const { footprint } = await tools.plan('move_file', site({ from: 'a.txt', to: 'c.txt' }));
    writeFileSync(at('c.txt'), 'late');
    expect(await tools.execute('move_file', site({ from: 'a.txt', to: 'c.txt' }), footprint)).toMatchObject({
      outcome: 'changed',
    });
    expect(readFileSync(at('c.txt'), 'utf8')).toBe('late');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a');
  });

  it('says what a line diff hides', async () => {
    const { tools, at } = setUp({ 'a.txt': 'a\r\nb\r\n', 'run.sh': '#!\n', 'b.bin': Buffer.from([0]) });
    chmodSync(at('run.sh'), 0o755);
    const notes = async (path: string, content: string): Promise<string> => {
      const { preview } = await tools.plan('write_file', site({ path, content }));
      return preview.kind === 'file' ? preview.notes.join(' ') : reasonOf({ preview } as never);
    };
    expect(await notes('a.txt', 'a\nb')).toContain('Line ends change from CRLF (Windows) to LF');
    expect(await notes('a.txt', 'a\nb')).toContain('does not end with a line end');
    expect(await notes('a.txt', '\uFEFFa\r\nb\r\n')).toContain('byte-order mark is added');
    expect(await notes('run.sh', 'x\n')).toContain('executable (mode 0755)');
    expect(await notes('b.bin', 'x')).toMatch(/not text.*SHA-256 now: 6e34.*SHA-256 after/);
  });

  it('T-113 shows a large rewrite as replaced entirely, the same way every time', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}`).join('\n');
    const after = Array.from({ length: 20_000 }, (_, index) => `new ${index}`).join('\n');
    const first = diffTexts(before, after);
    expect(first.isReplacedEntirely).toBe(true);
    expect(first.diff.split('\n')).toHaveLength(1 + 20_000 + 1 + 20_000 + 1 + 1);
    expect(diffTexts(before, after)).toEqual(first);
  });
});

describe('races and failures', () => {
  it('notices a folder that was swapped for a link after the guard looked', () => {
    const { place, at } = setUp({ 'a/secret.txt': 'inside' });
    const outside = join(place.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), 'outside');
    const guarded = guardPath(place.context, 'site', 'a/secret.txt');
    if (!guarded.ok) throw new Error(guarded.reason);
    renameSync(at('a'), at('b'));
    symlinkSync(outside, at('a'));
    expect(readState(guarded.value).ok).toBe(false);
    expect(replaceFile(guarded.value, Buffer.from('x'), 0o644, false, () => true).ok).toBe(false);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('outside');
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  it('writes nothing outside when the folder is swapped between the last check and the rename', () => {
    const { place, at } = setUp({ 'a/f.txt': 'old' });
    const outside = join(place.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'f.txt'), 'outside');
    const guarded = guardPath(place.context, 'site', 'a/f.txt');
    if (!guarded.ok) throw new Error(guarded.reason);
    replaceFile(guarded.value, Buffer.from('new'), 0o644, false, () => {
      renameSync(at('a'), at('b'));
      symlinkSync(outside, at('a'));
      return true;
    });
    expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe('outside');
    expect(readdirSync(outside)).toEqual(['f.txt']);
    expect(readdirSync(at('b'))).toEqual(['f.txt']);
  });

  it('does not overwrite a file that appeared right before a new one is placed', () => {
    const { place, at } = setUp();
    const guarded = guardPath(place.context, 'site', 'x/new.txt');
    if (!guarded.ok) throw new Error(guarded.reason);
    const end = replaceFile(guarded.value, Buffer.from('mine'), 0o644, true, () => {
      writeFileSync(at('x/new.txt'), 'theirs');
      return true;
    });
    expect(end).toEqual({ ok: true, value: 'changed' });
    expect(readFileSync(at('x/new.txt'), 'utf8')).toBe('theirs');
    expect(readdirSync(at('x'))).toEqual(['new.txt']);
  });

  it('leaves no temporary file and no new folder after a failure', () => {
    const { place, at } = setUp();
    const guarded = guardPath(place.context, 'site', 'x/y/new.txt');
    if (!guarded.ok) throw new Error(guarded.reason);
    const broken = (): boolean => {
      throw new Error('broken');
    };
    expect(() => replaceFile(guarded.value, Buffer.from('mine'), 0o644, true, broken)).toThrow('broken');
    expect(readdirSync(at('.'))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-main/domain/json-value.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { InProcessTools, type Place, makePlace, reasonOf, withFile } from '../support/tool-fixtures.ts';

const SQL = `
  create table pages (
    id integer primary key, slug text not null unique, title text not null check (length(title) > 0),
    views integer not null default 0, score real, note, shouted text generated always as (upper(title)) stored);
  create table page_log (page integer, what text);
  create trigger pages_audit after update on pages begin insert into page_log values (old.id, 'update'); end;
  create trigger pages_gone before delete on pages begin insert into page_log values (old.id, 'delete'); end;
  create table content (id integer primary key, page_id integer not null references pages on delete cascade, body text);
  insert into pages (id, slug, title) values (1, 'home', 'Home'), (42, 'about', 'About us');
  insert into content values (1, 42, 'a'), (2, 42, 'b');
  create view titles as select title from pages;
  create virtual table search using fts5 (title);
`;

interface Setting {
  place: Place;
  tools: InProcessTools;
  read: (sql: string) => unknown;
  run: (sql: string) => void;
}

function setUp(sql = SQL): Setting {
  const place = makePlace(sql);
  return {
    place,
    tools: new InProcessTools(place.context),
    read: (query) => withFile(place.databasePath, (connection) => connection.prepare(query).raw().safeIntegers().all()),
    run: (statement) => withFile(place.databasePath, (connection) => void connection.exec(statement)),
  };
}

const site = (table: string, rest: JsonObject): JsonObject => ({ database: 'site', table, ...rest });
const page42 = (values: JsonObject): JsonObject => site('pages', { key: { id: 42 }, values });

describe('update_record', () => {
  it('previews only changed fields, names triggers, and writes what was shown', async () => {
    const { tools, read } = setUp();
    const args = page42({ title: 'Who we are', views: 0, slug: 'about' });
    const planned = await tools.plan('update_record', args);
    expect(planned).toMatchObject({
      target: { kind: 'record', database: 'site', table: 'pages', key: { id: 42 } },
      preview: {
        kind: 'record',
        action: 'update',
        changes: [{ field: 'title', before: 'About us', after: 'Who we are' }],
        notes: ['Trigger pages_audit runs after the update and writes to page_log.'],
      },
    });
    const result = await tools.execute('update_record', args, planned.footprint);
    expect(result).toMatchObject({
      outcome: 'ok',
      write: { target: planned.target, kind: 'updated', completeness: 'complete' },
    });
    expect(read('select title, shouted from pages where id = 42')).toEqual([['Who we are', 'WHO WE ARE']]);
    expect(read('select * from page_log')).toEqual([[42n, 'update']]);
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'an unknown column',
      page42({ titel: 'x' }),
      /no column "titel"\. Columns that can be written: id, slug, title, views, score, note\./,
    ],
    ['a generated column', page42({ shouted: 'x' }), /computed by the database/],
    ['the key itself', page42({ id: 43 }), /part of the key/],
    ['an empty title', page42({ title: null }), /"title" must not be empty/],
    ['a broken check rule', page42({ title: '' }), /check rule/],
    ['a taken unique value', page42({ slug: 'home' }), /Record 1 already has this slug/],
    ['no change', page42({ title: 'About us' }), /Nothing would change/],
    ['a column given twice', page42({ title: 'x', Title: 'y' }), /given twice/],
    ['a record that is not there', site('pages', { key: { id: 7 }, values: { title: 'x' } }), /no such record/],
    [
      'a key of other columns',
      site('pages', { key: { slug: 'home' }, values: { title: 'x' } }),
      /key of "pages" is id/,
    ],
    ['an unknown table', site('page', { key: { id: 1 }, values: { title: 'x' } }), /no table "page"/],
    ['a view', site('titles', { key: { id: 1 }, values: { title: 'x' } }), /is a view/],
    ['a virtual table', site('search', { key: { rowid: 1 }, values: { title: 'x' } }), /extension/],
    ['a shadow table', site('search_data', { key: { id: 1 }, values: { block: 'x' } }), /extension/],
    ['a table of SQLite', site('sqlite_schema', { key: { rowid: 1 }, values: { sql: 'x' } }), /belongs to SQLite/],
    ['a number rounded on the way', page42({ views: 2 ** 60 }), /beyond 2\^53/],
  ])('says no to %s before anyone is asked', async (_what, args, reason) => {
    const { tools, place } = setUp();
    const before = readFileSync(place.databasePath);
    const planned = await tools.plan('update_record', args);
    expect(reasonOf(planned)).toMatch(reason);
    const result = await tools.execute('update_record', args, planned.footprint);
    expect(result.outcome === 'failed' || result.outcome === 'refused').toBe(true);
    expect(result.write).toBeNull();
    expect(readFileSync(place.databasePath).equals(before)).toBe(true);
  });

  it('writes nothing without approval, nor when a field of the footprint changed', async () => {
    const { tools, read, run } = setUp();
    const args = page42({ title: 'x', views: 0 });
    expect(await tools.execute('update_record', args, null)).toMatchObject({ outcome: 'refused', write: null });
    const { footprint } = await tools.plan('update_record', args);
    run('update pages set views = 9 where id = 42; delete from page_log');
    expect(await tools.execute('update_record', args, footprint)).toMatchObject({ outcome: 'changed', write: null });
    expect(read('select title, views from pages where id = 42')).toEqual([['About us', 9n]]);
    expect(read('select count(*) from page_log')).toEqual([[0n]]);
  });

  it('is not bounced by other fields or other records', async () => {
    const { tools, run } = setUp();
    const args = page42({ title: 'x' });
    const { footprint } = await tools.plan('update_record', args);
    run("update pages set views = 9 where id = 42; update pages set title = 'y' where id = 1");
    expect(await tools.execute('update_record', args, footprint)).toMatchObject({ outcome: 'ok' });
  });

  it('notices a change beyond any length and of the stored type alone', async () => {
    const long = 'x'.repeat(100_000);
    const { tools, run } = setUp();
    run(`update pages set note = '${long}a' where id = 42`);
    const args = page42({ note: 'short' });
    const { footprint } = await tools.plan('update_record', args);
    run(`update pages set note = '${long}b' where id = 42`);
    expect(await tools.execute('update_record', args, footprint)).toMatchObject({ outcome: 'changed' });
    run('update pages set note = 5 where id = 42');
    const typed = await tools.plan('update_record', args);
    run("update pages set note = '5' where id = 42");
    expect(await tools.execute('update_record', args, typed.footprint)).toMatchObject({ outcome: 'changed' });
  });

  it('rolls back when a trigger makes something else of the approved value', async () => {
    const { tools, read, run } = setUp();
    run(
      "create trigger meddle after update of title on pages begin update pages set title = 'meddled' where id = new.id; end",
    );
    const result = await tools.approve('update_record', page42({ title: 'mine' }));
    expect(result).toMatchObject({ outcome: 'failed', write: null });
    expect(result.content).toContain('because of a trigger');
    expect(read('select title from pages where id = 42')).toEqual([['About us']]);
    expect(read('select count(*) from page_log')).toEqual([[0n]]);
  });

  it('R-127 explains a trigger that refuses without repeating its text', async () => {
    const { tools, run } = setUp();
    run("create trigger guard before update on pages begin select raise(abort, 'secret text'); end");
    const result = await tools.approve('update_record', page42({ title: 'mine' }));
    expect(result.content).toBe(
      'A trigger of "pages" does not allow this change. describe_records for "pages" shows the rules.',
    );
  });

  it('says that the database is locked after a bounded wait, and keeps the journal mode', async () => {
    const { tools, place, read } = setUp();
    const args = page42({ title: 'x' });
    const { footprint } = await tools.plan('update_record', args);
    const other = openSqlite(place.databasePath);
    other.exec('begin immediate');
    const result = await tools.execute('update_record', args, footprint);
    other.exec('rollback');
    other.close();
    expect(result).toMatchObject({ outcome: 'failed', write: null });
    expect(result.content).toContain('locked by another program');
    expect(await tools.execute('update_record', args, footprint)).toMatchObject({ outcome: 'ok' });
    expect(read('pragma journal_mode')).toEqual([['delete']]);
  });

  it('works on a file in WAL mode and leaves it there', async () => {
    const { tools, run, read } = setUp();
    run('pragma journal_mode = wal');
    expect(await tools.approve('update_record', page42({ title: 'x' }))).toMatchObject({ outcome: 'ok' });
    expect(read('pragma journal_mode')).toEqual([['wal']]);
  });

  it('compares text that is not valid by its bytes', async () => {
    const { tools, run } = setUp();
    run("update pages set note = cast(x'61ff' as text) where id = 42");
    const args = page42({ note: 'a\uFFFD' });
    const planned = await tools.plan('update_record', args);
    expect(planned.preview).toMatchObject({
      notes: expect.arrayContaining(['note now holds text with damaged characters.']),
    });
    run("update pages set note = cast(x'61fe' as text) where id = 42");
    expect(await tools.execute('update_record', args, planned.footprint)).toMatchObject({ outcome: 'changed' });
    expect(await tools.approve('update_record', args)).toMatchObject({ outcome: 'ok' });
    expect(reasonOf(await tools.plan('update_record', args))).toContain('Nothing would change');
  });

  it('warns of a foreign key that leads nowhere, and the database has the last word', async () => {
    const { tools, read } = setUp();
    const args = site('content', { key: { id: 1 }, values: { page_id: 77 } });
    expect((await tools.plan('update_record', args)).preview).toMatchObject({
      notes: ['No record of pages has this page_id now.'],
    });
    expect((await tools.approve('update_record', args)).content).toContain('foreign key');
    expect(read('select page_id from content where id = 1')).toEqual([[42n]]);
  });
});

describe('T-119 and every kind of key', () => {
  const KEYS = `
    create table i (id integer primary key, v);
    create table t (code text primary key, v);
    create table c (a text, b integer, v, primary key (b, a));
    create table w (k text primary key, v) without rowid;
    create table b (k blob primary key, v);
    create table n (v);
    create table r (rowid text, v);
    create table s (k any primary key, v int) strict;
    create table u ("od""d key" text primary key, "select" text, "__proto__" text);
    insert into i values (9007199254740993, 'old'), (-5, 'old'), (9007199254740992, 'other');
    insert into t values ('x''00''', 'old'), ('ä', 'old'), ('A', 'old'), ('42', 'old');
    insert into c values ('x', 1, 'old'), ('x', 2, 'other');
    insert into w values ('k', 'old');
    insert into b values (x'00ff', 'old'), ('x''00ff''x', 'other');
    insert into n values ('old'), ('other');
    insert into r values ('shadowed', 'old');
    insert into s values (7, 1);
    insert into u values ('a"b', 'old', 'p');
  `;

  it.each<[string, Record<string, JsonValue>, Record<string, JsonValue>]>([
    ['i', { id: '9007199254740993' }, { id: '9007199254740993' }],
    ['i', { ID: '-5' }, { id: -5 }],
    ['t', { code: "x'00'" }, { code: "x'00'" }],
    ['t', { code: 'ä' }, { code: 'ä' }],
    ['t', { code: 42 }, { code: '42' }],
    ['c', { a: 'x', b: 1 }, { b: 1, a: 'x' }],
    ['w', { k: 'k' }, { k: 'k' }],
    ['b', { k: "X'00FF'" }, { k: "x'00ff'" }],
    ['n', { rowid: 1 }, { rowid: 1 }],
    ['r', { _rowid_: 1 }, { _rowid_: 1 }],
    ['u', { 'od"d key': 'a"b' }, { 'od"d key': 'a"b' }],
  ])('updates and deletes exactly one record of %s by %j', async (table, key, stored) => {
    const { tools, read } = setUp(KEYS);
    const field = table === 'u' ? 'select' : 'v';
    const total = (read(`select count(*) from ${table}`) as [[bigint]])[0][0];
    const args = site(table, { key, values: { [field]: 'new' } });
    const planned = await tools.plan('update_record', args);
    expect(planned.target).toEqual({ kind: 'record', database: 'site', table, key: stored });
    expect(await tools.execute('update_record', args, planned.footprint)).toMatchObject({
      outcome: 'ok',
      write: { target: planned.target },
    });
    expect(read(`select count(*) from ${table} where "${field}" = 'new'`)).toEqual([[1n]]);
    expect((await tools.plan('update_record', args)).footprint?.before).toBe(planned.footprint?.after);
    expect(await tools.approve('delete_record', site(table, { key: stored }))).toMatchObject({ outcome: 'ok' });
    expect(read(`select count(*) from ${table} where "${field}" = 'new'`)).toEqual([[0n]]);
    expect(read(`select count(*) from ${table}`)).toEqual([[total - 1n]]);
  });

  it('finds no neighbour of a key beyond 2^53 and refuses it as a number', async () => {
    const { tools } = setUp(KEYS);
    const get = async (id: JsonValue): Promise<string> =>
      (await tools.execute('get_record', site('i', { key: { id } }))).content;
    expect(await get('9007199254740993')).toContain('"9007199254740993"');
    expect(await get('9007199254740994')).toContain('no such record');
    expect(await get(9007199254740992)).toContain('send it as text');
  });

  it('refuses strict types at plan time', async () => {
    const { tools } = setUp(KEYS);
    expect(reasonOf(await tools.plan('update_record', site('s', { key: { k: 7 }, values: { v: 'text' } })))).toContain(
      'declared type',
    );
  });

  it('refuses a key that fits several records', async () => {
    const { tools } = setUp(
      "create table o (k text primary key, v); insert into o values (null, 1), (null, 2); create table p (k primary key, v); insert into p values (x'00', 1), ('x''00''', 2)",
    );
    expect(reasonOf(await tools.plan('delete_record', site('o', { key: { k: null } })))).toContain(
      'more than one record',
    );
    expect(reasonOf(await tools.plan('delete_record', site('p', { key: { k: "x'00'" } })))).toContain(
      'more than one record',
    );
  });
});

describe('create_record', () => {
  it('shows values and defaults, and names the key the database chose', async () => {
    const { tools, read } = setUp();
    const args = site('pages', { values: { slug: 'new', title: 'New', views: '5' } });
    const planned = await tools.plan('create_record', args);
    expect(planned.preview).toMatchObject({
      action: 'create',
      changes: [
        { field: 'slug', after: 'new' },
        { field: 'title', after: 'New' },
        { field: 'views', after: 5 },
      ],
      notes: ['The database chooses the key (id).'],
    });
    expect(planned.footprint?.after).toBeNull();
    expect(await tools.execute('create_record', args, planned.footprint)).toMatchObject({
      outcome: 'ok',
      write: { kind: 'created', target: { table: 'pages', key: { id: 43 } } },
    });
    expect(read('select views from pages where id = 43')).toEqual([[5n]]);
  });

  it('T-45 knows "does not exist" as a state: a given key that appeared meanwhile is a change', async () => {
    const { tools, run, read } = setUp();
    const args = site('pages', { values: { id: 50, slug: 'fifty', title: 'Fifty' } });
    const { footprint } = await tools.plan('create_record', args);
    run("insert into pages (id, slug, title) values (50, 'x', 'theirs')");
    expect(await tools.execute('create_record', args, footprint)).toMatchObject({ outcome: 'changed', write: null });
    expect(read('select title from pages where id = 50')).toEqual([['theirs']]);
    run('delete from pages where id = 50');
    expect(await tools.execute('create_record', args, footprint)).toMatchObject({ outcome: 'ok' });
    expect(await tools.execute('create_record', args, footprint)).toMatchObject({ outcome: 'changed' });
    expect((await tools.plan('create_record', args)).footprint?.before).toBe(footprint?.after);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a missing column', { slug: 'x' }, /"title" must be given/],
    ['a taken key', { id: 1, slug: 'x', title: 'x' }, /already a record with this key/],
    ['a taken unique value', { slug: 'home', title: 'x' }, /already has this slug/],
    ['a broken rule', { slug: 'x', title: '' }, /check rule/],
    ['a text for the number of a record', { id: 'x', slug: 'x', title: 'x' }, /declared type/],
  ])('says no to %s', async (_what, values, reason) => {
    expect(reasonOf(await setUp().tools.plan('create_record', site('pages', { values })))).toMatch(reason);
  });

  it('makes keys of tables without row ids and without a declared key', async () => {
    const { tools } = setUp(
      'create table w (k text primary key, v) without rowid; create table n (v); create table d (k text primary key default (hex(7)), v)',
    );
    expect(await tools.approve('create_record', site('w', { values: { k: 'a', v: 1 } }))).toMatchObject({
      write: { target: { key: { k: 'a' } } },
    });
    expect(await tools.approve('create_record', site('n', { values: { v: 1 } }))).toMatchObject({
      write: { target: { key: { rowid: 1 } } },
    });
    expect(await tools.approve('create_record', site('d', { values: { v: 1 } }))).toMatchObject({
      write: { target: { key: { k: '37' } } },
    });
    expect(reasonOf(await tools.plan('create_record', site('w', { values: { v: 1 } })))).toContain('"k" must be given');
  });
});

describe('delete_record', () => {
  it('shows the whole record and what goes with it, and recovers as already gone', async () => {
    const { tools, read } = setUp();
    const args = site('pages', { key: { id: 42 } });
    const planned = await tools.plan('delete_record', args);
    expect(planned.preview).toMatchObject({
      action: 'delete',
      notes: [
        'Also deletes 2 records of content (foreign key page_id), and what depends on them.',
        'Trigger pages_gone runs before the delete and writes to page_log.',
      ],
    });
    expect(planned.preview).toMatchObject({
      changes: expect.arrayContaining([{ field: 'title', before: 'About us' }]),
    });
    expect(await tools.execute('delete_record', args, planned.footprint)).toMatchObject({
      outcome: 'ok',
      write: { kind: 'deleted' },
    });
    expect(read('select count(*) from content')).toEqual([[0n]]);
    const again = await tools.plan('delete_record', args);
    expect(again.footprint?.before).toBe(planned.footprint?.after);
    expect(reasonOf(again)).toContain('nothing to delete');
  });

  it('is bounced by any field and by one more record that would go with it', async () => {
    for (const change of ['update pages set views = 1 where id = 42', "insert into content values (3, 42, 'c')"]) {
      const { tools, run, read } = setUp();
      const args = site('pages', { key: { id: 42 } });
      const { footprint } = await tools.plan('delete_record', args);
      run(change);
      expect(await tools.execute('delete_record', args, footprint)).toMatchObject({ outcome: 'changed' });
      expect(read('select count(*) from pages')).toEqual([[2n]]);
    }
  });
});

describe('calls of one turn', () => {
  it('are planned on the simulated result of the ones before, and each executes', async () => {
    const { tools, read } = setUp();
    const calls: [string, JsonObject][] = [
      ['update_record', page42({ title: 'One' })],
      ['update_record', page42({ title: 'Two', views: '7' })],
      ['create_record', site('pages', { values: { id: 60, slug: 'sixty', title: 'Sixty' } })],
      ['update_record', site('pages', { key: { id: '60' }, values: { title: '60' } })],
      ['delete_record', site('content', { key: { id: 1 } })],
      ['delete_record', site('pages', { key: { id: 42 } })],
      ['create_record', site('pages', { values: { id: 42, slug: 'again', title: 'Again' } })],
    ];
    const previews = await tools.planTurn(...calls);
    expect(previews.map((each) => (each.preview.kind === 'record' ? each.preview.action : reasonOf(each)))).toEqual([
      'update',
      'update',
      'create',
      'update',
      'delete',
      'delete',
      'create',
    ]);
    expect(previews[1]?.preview).toMatchObject({
      changes: [
        { field: 'title', before: 'One', after: 'Two' },
        { field: 'views', before: 0, after: 7 },
      ],
    });
    expect(previews[3]?.preview).toMatchObject({ changes: [{ field: 'title', before: 'Sixty', after: '60' }] });
    expect(previews[5]?.preview).toMatchObject({
      notes: expect.arrayContaining([
        'Also deletes 1 record of content (foreign key page_id), and what depends on them.',
      ]),
    });
    expect(read('select title from pages where id = 42')).toEqual([['About us']]);
    for (const [index, [name, args]] of calls.entries()) {
      expect(await tools.execute(name, args, previews[index]?.footprint ?? null)).toMatchObject({ outcome: 'ok' });
    }
    expect(read('select id, title from pages order by id')).toEqual([
      [1n, 'Home'],
      [42n, 'Again'],
      [60n, '60'],
    ]);
  });

  it('see a deleted record as gone', async () => {
    const previews = await setUp().tools.planTurn(
      ['delete_record', site('pages', { key: { id: 42 } })],
      ['update_record', page42({ title: 'x' })],
    );
    expect(previews.map(reasonOf)[1]).toContain('no such record');
  });
});

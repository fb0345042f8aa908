import { linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardQuery } from '../../src-main/tools/builtin/query-guard.ts';
import { tokenizeSql } from '../../src-main/tools/builtin/sql-tokens.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { InProcessTools, type Place, makePlace, withFile } from '../support/tool-fixtures.ts';

const SQL = `
  create table pages (id integer primary key, title text not null, body text);
  insert into pages (title, body) values ('Home', 'Welcome'), ('About', null), ('Café', x'00ff');
  create view titles as select title from pages;
`;

function setUp(): {
  place: Place;
  tools: InProcessTools;
  query: (sql: string) => ReturnType<InProcessTools['execute']>;
} {
  const place = makePlace(SQL);
  const tools = new InProcessTools(place.context);
  return { place, tools, query: (sql) => tools.execute('query_records', { database: 'site', sql }) };
}

describe('query_records', () => {
  it.each([
    [
      'select id, title from pages order by id',
      '{"columns":["id","title"],"rows":[\n[1,"Home"],\n[2,"About"],\n[3,"Café"]\n],"rowCount":3}',
    ],
    ['with p as (select 1 as one) select one from p', '{"columns":["one"],"rows":[\n[1]\n],"rowCount":1}'],
    ["values ('a')", '{"columns":["column1"],"rows":[\n["a"]\n],"rowCount":1}'],
    [
      'select \';\' as "attach; database" /* ; drop */ -- ; x',
      '{"columns":["attach; database"],"rows":[\n[";"]\n],"rowCount":1}',
    ],
    ['select body from pages where id = 3;', '{"columns":["body"],"rows":[\n["x\'00ff\'"]\n],"rowCount":1}'],
    ["select value from json_each('[1,2]')", '{"columns":["value"],"rows":[\n[1],\n[2]\n],"rowCount":2}'],
    [
      'select 9007199254740993 as big, 9e999 as endless, 1e300 as much',
      '{"columns":["big","endless","much"],"rows":[\n["9007199254740993","Infinity","1e+300"]\n],"rowCount":1}',
    ],
  ])('T-119 answers %s without rounding', async (sql, content) => {
    expect(await setUp().query(sql)).toEqual({ outcome: 'ok', content, write: null });
  });

  it.each([
    "attach database 'x.db' as x",
    "/* select */ attach 'x.db' as x",
    "-- select\nattach 'x.db' as x",
    'detach main',
    'pragma table_info(pages)',
    'PRAGMA journal_mode = wal',
    "select * from pragma_table_info('pages')",
    'select * from Pragma_Journal_Mode',
    'select * from "pragma_database_list"',
    'select * from [pragma_database_list]',
    'select * from `pragma_database_list`',
    "select * from 'pragma_database_list'",
    'select * from main.pragma_database_list',
    'select * from dbstat',
    "vacuum into 'copy.db'",
    'vacuum',
    'select 1; select 2',
    "select 1; attach 'x.db' as x",
    'select 1 /* ; */ ; delete from pages',
    "select 'a' -- \n; delete from pages",
    'explain select 1',
    'begin',
    'create table x (a)',
    'insert into pages (title) values (1) returning id',
    'delete from pages returning *',
    'with x as (select 1) delete from pages returning id',
    'update pages set title = 1',
    'replace into pages (id, title) values (1, 2)',
    'reindex',
    'analyze',
    "select load_extension('x')",
    'select "load_extension"(\'x\')',
    "select LOAD_EXTENSION ( 'x')",
    "select load_extension/**/('x')",
    "select fts3_tokenizer('simple')",
    "select sqlite_log(1, 'x')",
    'select zeroblob(1000000000)',
    'select randomblob(1000000000)',
    "select printf('%999999999s', 'x')",
    "select format('%999999999s', 'x')",
    "select * from fts4aux('x')",
    'select ?',
    'select :a',
    'select @a, $b',
    'select 1\0; delete from pages',
    'select \u0001',
    'select 1 union all select 2;;;select 3',
  ])('refuses %j', async (sql) => {
    const { query, place } = setUp();
    const before = statSync(place.databasePath).mtimeMs;
    expect(await query(sql)).toMatchObject({ outcome: 'refused', write: null });
    expect(statSync(place.databasePath).mtimeMs).toBe(before);
    expect(readdirSync(place.folder).toSorted()).toEqual(['product', 'site.db', 'workspace']);
  });

  it.each([
    ["select writefile('x', 'y')", 'There is no function "writefile"'],
    ["select readfile('/etc/hostname')", 'There is no function "readfile"'],
    ['select nope from pages', 'There is no column "nope"'],
    ['select * from nowhere', 'There is no table "nowhere"'],
    ['select from from', 'syntax error near "from"'],
    ["select 'unclosed", 'SQLite does not accept this query'],
    ['', 'empty'],
    [' ;; ', 'empty'],
  ])('says what is wrong with %j', async (sql, reason) => {
    expect((await setUp().query(sql)).content).toContain(reason);
  });

  it('stops at 1,000 rows and says that more exist', async () => {
    const { query } = setUp();
    const { content } = await query(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i from n',
    );
    const { rows, more } = JSON.parse(content) as { rows: unknown[]; more: string };
    expect(rows).toHaveLength(1_000);
    expect(more).toContain('more rows exist');
  });

  it('keeps every answer below the bound, whole rows first', async () => {
    const { query } = setUp();
    const { content } = await query(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) select i, '${'x'.repeat(3_000)}' from n`,
    );
    expect(Buffer.byteLength(content)).toBeLessThan(50_000);
    expect((JSON.parse(content) as { more: string }).more).toContain('more rows exist');
    expect((await query(`select '${'x'.repeat(9_000)}'`)).content).toContain('[cut; 9000 characters');
  });

  it('decides about every function of this SQLite', () => {
    const connection = openSqlite(':memory:');
    const names = new Set(
      (connection.prepare('select name from pragma_function_list').pluck().all() as string[]).map((name) =>
        name.toLowerCase(),
      ),
    );
    connection.close();
    const refused = [...names].filter(
      (name) => /^[a-z]/.test(name) && !guardQuery(`select ${name}(1)`, { functions: names, modules: new Set() }).ok,
    );
    expect(refused.toSorted()).toEqual([
      'format',
      'fts3_tokenizer',
      'fts5',
      'fts5_get_locale',
      'fts5_insttoken',
      'fts5_locale',
      'fts5_source_id',
      'geopoly_area',
      'geopoly_bbox',
      'geopoly_blob',
      'geopoly_ccw',
      'geopoly_contains_point',
      'geopoly_debug',
      'geopoly_group_bbox',
      'geopoly_json',
      'geopoly_overlap',
      'geopoly_regular',
      'geopoly_svg',
      'geopoly_within',
      'geopoly_xform',
      'last_insert_rowid',
      'load_extension',
      'matchinfo',
      'offsets',
      'optimize',
      'printf',
      'randomblob',
      'rtreecheck',
      'rtreedepth',
      'rtreenode',
      'sqlite_compileoption_get',
      'sqlite_compileoption_used',
      'sqlite_log',
      'sqlite_source_id',
      'zeroblob',
    ]);
  });

  it('reads SQL as SQLite does', () => {
    const texts = (sql: string): string[] => tokenizeSql(sql).map((token) => `${token.kind}:${token.text}`);
    expect(texts(`select "a""b", 'c''d', [e]f], x'0F', 1.5e3 /* open`)).toEqual([
      'word:select',
      'name:a"b',
      'symbol:,',
      "string:c'd",
      'symbol:,',
      'name:e',
      'word:f',
      'symbol:]',
      'symbol:,',
      "blob:x'0F'",
      'symbol:,',
      'number:1.5e3',
    ]);
  });
});

describe("the product's own database", () => {
  it.each<[string, (place: Place, real: string) => string]>([
    ['plainly', (_place, real) => real],
    ['with a trailing slash and dot', (_place, real) => `${real}/.`],
    ['by a detour', (place, real) => `${place.folder}/workspace/../product/${real.split('/').at(-1)}`],
    [
      'by a symbolic link',
      (place, real) => (symlinkSync(real, join(place.folder, 'l.db')), join(place.folder, 'l.db')),
    ],
    [
      'by a link to its folder',
      (place) => (symlinkSync(place.dataFolder, join(place.folder, 'd')), join(place.folder, 'd', 'countersign.db')),
    ],
    ['by a hard link', (place, real) => (linkSync(real, join(place.folder, 'h.db')), join(place.folder, 'h.db'))],
    ['as an address', (_place, real) => `file:${real}`],
    ['as an address with options', (_place, real) => `file://${real}?mode=rw`],
    ['with a space behind', (_place, real) => `${real} `],
    ['with a space before', (_place, real) => ` ${real}`],
    ['relative', () => 'product/countersign.db'],
    ['in other letters', (_place, real) => real.replace('countersign.db', 'COUNTERSIGN.DB')],
    ['by its log', (_place, real) => `${real}-wal`],
  ])('is refused named %s', async (_how, spell) => {
    const place = makePlace();
    const real = join(place.dataFolder, 'countersign.db');
    withFile(real, (connection) => connection.exec("create table secrets (a); insert into secrets values ('hidden')"));
    writeFileSync(`${real}-wal`, '');
    const path = spell(place, real);
    const tools = new InProcessTools({ ...place.context, databases: [{ name: 'site', path }] });
    for (const [name, rest] of [
      ['query_records', { sql: 'select * from secrets' }],
      ['describe_records', {}],
      ['get_record', { table: 'secrets', key: { rowid: 1 } }],
    ] as const) {
      const result = await tools.execute(name, { database: 'site', ...rest });
      expect(result.outcome).toBe('refused');
      expect(result.content).not.toContain('hidden');
    }
    const planned = await tools.plan('update_record', {
      database: 'site',
      table: 'secrets',
      key: { rowid: 1 },
      values: { a: 'x' },
    });
    expect(planned).toMatchObject({ preview: { kind: 'failed' }, footprint: null });
    expect(withFile(real, (connection) => connection.prepare('select a from secrets').pluck().get())).toBe('hidden');
  });

  it('is not reached by a log file that leads to it', async () => {
    const { place, query } = setUp();
    const real = join(place.dataFolder, 'countersign.db');
    writeFileSync(real, 'precious');
    symlinkSync(real, `${place.databasePath}-wal`);
    expect(await query('select 1')).toMatchObject({ outcome: 'refused' });
  });

  it('cannot be attached, a folder is not a database and a text is not one either', async () => {
    const { place, tools } = setUp();
    mkdirSync(join(place.folder, 'dir.db'));
    writeFileSync(join(place.folder, 'text.db'), 'this is no database at all, but long enough to be read as a header');
    for (const name of ['dir.db', 'text.db', 'none.db']) {
      const other = new InProcessTools({
        ...place.context,
        databases: [{ name: 'site', path: join(place.folder, name) }],
      });
      expect(
        await other.execute('query_records', { database: 'site', sql: 'select 1 from sqlite_schema' }),
      ).toMatchObject({ outcome: 'failed' });
    }
    expect((await tools.execute('query_records', { database: 'nope', sql: 'select 1' })).content).toContain(
      'Use one of: site.',
    );
    expect(readdirSync(place.folder).toSorted()).toEqual(['dir.db', 'product', 'site.db', 'text.db', 'workspace']);
  });
});

describe('describe_records and get_record', () => {
  it('describes tables, keys, triggers and foreign keys', async () => {
    const place = makePlace(`${SQL}
      create table log (page integer references pages on delete cascade, at text);
      create trigger pages_audit after update of title on pages begin insert into log values (new.id, 'now'); end;`);
    const tools = new InProcessTools(place.context);
    const all = await tools.execute('describe_records', { database: 'site' });
    expect(all.content.split('\n').map((line) => (JSON.parse(line) as { table: string }).table)).toEqual([
      'log',
      'pages',
      'titles',
    ]);
    const one = JSON.parse(
      (await tools.execute('describe_records', { database: 'site', table: 'Pages' })).content,
    ) as Record<string, unknown>;
    expect(one).toMatchObject({
      table: 'pages',
      key: ['id'],
      triggers: [{ name: 'pages_audit', timing: 'after', event: 'update', of: ['title'], writes: ['log'] }],
      referredToBy: [{ child: 'log', onDelete: 'CASCADE' }],
    });
  });

  it('gets one record by its key, however the key is written', async () => {
    const { tools } = setUp();
    const get = async (key: Record<string, string | number>): Promise<string> =>
      (await tools.execute('get_record', { database: 'site', table: 'pages', key })).content;
    const spellings: Record<string, string | number>[] = [{ id: 3 }, { ID: 3 }, { id: '3' }];
    for (const key of spellings) {
      expect(JSON.parse(await get(key))).toEqual({ id: 3, title: 'Café', body: "x'00ff'" });
    }
    expect(await get({ id: 99 })).toBe('There is no such record in "pages".');
    expect(await get({ title: 'Home' })).toBe('The key of "pages" is id. Give exactly that.');
  });
});

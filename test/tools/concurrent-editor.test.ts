import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-main/domain/json-value.ts';
import type { SqliteConnection } from '../../src-main/system/open-sqlite.ts';
import { startChild } from '../support/child.ts';
import { InProcessTools, makePlace, type Place, withFile } from '../support/tool-fixtures.ts';

/*
 * Somebody works on the same records and files between the card and the write. Whether the write lands is foretold by reading
 * records and files directly, never by asking the tools.
 */

const TABLE = `create table pages (id integer primary key, title text, body text);
  insert into pages values (1, 'one', 'first'), (2, 'two', 'second')`;
const FILES = ['a.txt', 'b.txt', 'c.txt'] as const;
const TEXTS = ['same', 'same and more', ''] as const;

/** All there is to see. */
interface World {
  rows: Record<string, unknown>;
  files: Record<string, string>;
}

function look(place: Place): World {
  const rows = withFile(place.databasePath, (open) => open.prepare('select * from pages order by id').all());
  const files = FILES.map((name) => [name, join(place.workspace, name)] as const).filter(([, path]) =>
    existsSync(path),
  );
  return {
    rows: Object.fromEntries((rows as { id: number }[]).map((row) => [row.id, row])),
    files: Object.fromEntries(files.map(([name, path]) => [name, readFileSync(path, 'utf8')])),
  };
}

/** A write, and what of the world the person saw on its card. */
interface Write {
  tool: string;
  args: JsonObject;
  shown(world: World): unknown;
}

const inTable = { database: 'site', table: 'pages' };
const inFolder = { workspace: 'site' };
const WRITES: Write[] = [
  {
    tool: 'update_record',
    args: { ...inTable, key: { id: 1 }, values: { title: 'new' } },
    shown: ({ rows }) => (rows[1] as { title?: unknown } | undefined)?.title,
  },
  { tool: 'delete_record', args: { ...inTable, key: { id: 1 } }, shown: ({ rows }) => rows[1] },
  { tool: 'create_record', args: { ...inTable, values: { id: 9, title: 'new' } }, shown: ({ rows }) => rows[9] },
  {
    tool: 'write_file',
    args: { ...inFolder, path: 'a.txt', content: 'new' },
    shown: ({ files }) => files['a.txt'],
  },
  {
    tool: 'edit_file',
    args: { ...inFolder, path: 'a.txt', old_text: 'same', new_text: 'new' },
    shown: ({ files }) => files['a.txt'],
  },
  { tool: 'delete_file', args: { ...inFolder, path: 'a.txt' }, shown: ({ files }) => files['a.txt'] },
  {
    tool: 'move_file',
    args: { ...inFolder, from: 'a.txt', to: 'b.txt' },
    shown: ({ files }) => [files['a.txt'], files['b.txt']],
  },
];

type Edit = (place: Place) => void;
const bySql = (work: (open: SqliteConnection) => void): Edit => {
  return (place) => withFile(place.databasePath, work);
};

/** What somebody does: touches a row or a file, takes it away, puts it there (back). Values are few, so that much comes back. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, 2, 9), fc.constantFrom('title', 'body'), fc.constantFrom('one', 'first', 'theirs'))
    .map(([id, column, value]) =>
      bySql((open) => void open.prepare(`update pages set ${column} = ? where id = ?`).run(value, id)),
    ),
  fc.constantFrom(1, 2, 9).map((id) => bySql((open) => void open.prepare('delete from pages where id = ?').run(id))),
  fc
    .constantFrom(1, 2, 9)
    .map((id) => bySql((open) => void open.prepare(`insert or ignore into pages values (?, 'one', 'first')`).run(id))),
  fc.tuple(fc.constantFrom(...FILES), fc.constantFrom(...TEXTS)).map(
    ([name, text]): Edit =>
      (place) =>
        writeFileSync(join(place.workspace, name), text),
  ),
  fc.constantFrom(...FILES).map(
    (name): Edit =>
      (place) =>
        rmSync(join(place.workspace, name), { force: true }),
  ),
);

describe('somebody who edits the same things', () => {
  it('H-172 and H-174: a write lands exactly when what its card showed is what is there', async () => {
    const seen = { landed: 0, harmless: 0, bounced: 0 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...WRITES), fc.array(edit, { maxLength: 5 }), async (write, edits) => {
        const place = makePlace(TABLE);
        writeFileSync(join(place.workspace, 'a.txt'), 'same');
        writeFileSync(join(place.workspace, 'c.txt'), 'same');
        const tools = new InProcessTools(place.context);
        const card = await tools.plan(write.tool, write.args);
        expect(card.preview.kind).not.toBe('failed');
        const then = look(place);
        for (const each of edits) each(place);
        const now = look(place);
        const result = await tools.execute(write.tool, write.args, card.footprint);
        if (JSON.stringify(write.shown(now)) === JSON.stringify(write.shown(then))) {
          seen.landed += 1;
          if (JSON.stringify(now) !== JSON.stringify(then)) seen.harmless += 1;
          expect(result.outcome).toBe('ok');
          expect(look(place)).not.toEqual(now);
        } else {
          seen.bounced += 1;
          expect(result).toMatchObject({ outcome: 'changed', write: null });
          expect(look(place)).toEqual(now);
        }
        expect(tools.faults).toEqual([]);
      }),
      { numRuns: 200 },
    );
    expect(seen.harmless).toBeGreaterThan(20);
    expect(seen.bounced).toBeGreaterThan(20);
    expect(seen.landed).toBeGreaterThan(seen.harmless);
  });

  /** Approves writes one after the other while another process edits; what each write replaced is told by a trigger. */
  async function raceWith(
    columns: string[],
    writes: number,
  ): Promise<{ landed: number; bounced: number; edits: number }> {
    const place = makePlace(`${TABLE}; create table replaced (title text, by text);
      create trigger watch after update of title on pages when old.id = 1
        begin insert into replaced values (old.title, new.title); end`);
    const replacedBy = (title: string): unknown[] =>
      withFile(place.databasePath, (open) =>
        open.prepare('select title from replaced where by = ?').pluck().all(title),
      );
    const tools = new InProcessTools(place.context);
    const editor = startChild('edit-records.ts', place.databasePath, ...columns);
    await editor.message();
    const seen = { landed: 0, bounced: 0, edits: 0 };
    try {
      for (let number = 0; number < writes; number += 1) {
        const title = `approved ${number}`;
        const args = { ...inTable, key: { id: 1 }, values: { title } };
        const { preview, footprint } = await tools.plan('update_record', args);
        if (preview.kind !== 'record') throw new Error(JSON.stringify(preview));
        const { outcome } = await tools.execute('update_record', args, footprint);
        if (outcome === 'ok') {
          seen.landed += 1;
          expect(replacedBy(title)).toEqual([preview.changes[0]?.before]);
        } else {
          seen.bounced += 1;
          expect(outcome).toBe('changed');
          expect(replacedBy(title)).toEqual([]);
        }
      }
      editor.send('stop');
      seen.edits = (await editor.message<{ edits: number }>()).edits;
    } finally {
      await editor.stop();
    }
    return seen;
  }

  it('H-172 in another process, at the same time: a write replaces only what its card showed', async () => {
    const { landed, bounced } = await raceWith(['title', 'body'], 200);
    expect(landed).toBeGreaterThan(0);
    expect(bounced).toBeGreaterThan(0);
  });

  it('H-174 in another process, at the same time: edits beside the shown values never send a write back', async () => {
    const { bounced, edits } = await raceWith(['body'], 200);
    expect(bounced).toBe(0);
    expect(edits).toBeGreaterThan(20);
  });
});

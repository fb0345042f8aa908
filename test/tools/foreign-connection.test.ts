import { describe, expect, it } from 'vitest';
import { passed } from '../../src-main/tools/checked.ts';
import { withDatabase } from '../../src-main/tools/builtin/foreign-database.ts';
import type { SqliteConnection } from '../../src-main/system/open-sqlite.ts';
import { makePlace, type Place } from '../support/tool-fixtures.ts';

const SETTINGS = ['trusted_schema', 'query_only', 'foreign_keys', 'synchronous'] as const;

/** The locks on a connection to somebody else's file. Each is read back by itself: from outside one hides the absence of another. */
const locksOf = (connection: SqliteConnection): Record<string, unknown> => ({
  readonly: connection.readonly,
  ...Object.fromEntries(SETTINGS.map((name) => [name, connection.pragma(name, { simple: true })])),
});

describe('a connection to a database of the run', () => {
  const open = (): Place['context'] => makePlace('create table pages (id integer primary key)').context;

  it('for reading is opened read-only, query-only and without trust in the schema', () => {
    const locks = withDatabase(open(), 'site', 'read', (connection) => passed(locksOf(connection)));
    expect(locks).toMatchObject({ ok: true, value: { readonly: true, query_only: 1, trusted_schema: 0 } });
  });

  it('for writing trusts the schema no more, enforces foreign keys and is on disk when it returns', () => {
    const locks = withDatabase(open(), 'site', 'write', (connection) => passed(locksOf(connection)));
    expect(locks).toMatchObject({ ok: true, value: { trusted_schema: 0, foreign_keys: 1, synchronous: 2 } });
  });
});

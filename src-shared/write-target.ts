import { Type, type Static } from 'typebox';

/** A primary key as plain JSON: column name to value. Integers beyond 2^53 and blobs travel as text. */
export const RecordKey = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Union([Type.String(), Type.Number(), Type.Null()]),
);
export type RecordKey = Static<typeof RecordKey>;

/**
 * What a write changes: exactly one record, file or remote object. Replaces the
 * reference's "table and positive integer id" (R-205), which cannot name a text
 * key, a composite key or a file.
 * Source: issue A "Write target is a union"; docs/decisions/0002.
 */
export const WriteTarget = Type.Union([
  Type.Object({
    kind: Type.Literal('record'),
    database: Type.String({ minLength: 1 }),
    table: Type.String({ minLength: 1 }),
    key: RecordKey,
  }),
  Type.Object({
    kind: Type.Literal('file'),
    workspace: Type.String({ minLength: 1 }),
    path: Type.String({ minLength: 1 }),
  }),
  Type.Object({
    kind: Type.Literal('remote'),
    server: Type.String({ minLength: 1 }),
    tool: Type.String({ minLength: 1 }),
    reference: Type.String(),
  }),
]);
export type WriteTarget = Static<typeof WriteTarget>;

/** A name as it is written when nothing in it could be taken for a sign of ours; else between quotes, with quotes and backslashes escaped. */
const named = (text: string): string => (/^\w+$/.test(text) ? text : JSON.stringify(text));

/** A key value: text always between quotes, so that `1` and `"1"`, and text with signs of ours in it, stay different. */
const keyed = (value: string | number | null): string =>
  typeof value === 'string' ? JSON.stringify(value) : value === null ? 'NULL' : String(value);

/**
 * One line that names a target in lists and logs, e.g. `site/pages#42`, `site/terms#"imprint"`
 * or `site/robots.txt`. Two targets never share one.
 */
export function describeTarget(target: WriteTarget): string {
  switch (target.kind) {
    case 'record': {
      const values = Object.entries(target.key);
      // A created record whose key the database gives has none yet.
      const table = `${named(target.database)}/${named(target.table)}`;
      const [only] = values;
      if (!only) return `${table} (new)`;
      return `${table}#${values.length === 1 ? keyed(only[1]) : values.map(([name, value]) => `${named(name)}=${keyed(value)}`).join(',')}`;
    }
    case 'file':
      return `${target.workspace}/${target.path}`;
    case 'remote':
      return `${target.server}:${target.tool}:${target.reference}`;
  }
}

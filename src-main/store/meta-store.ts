import type { Statements } from './statements.ts';

/** The value kept under a name, or null. */
export function readMeta(statements: Statements, name: string): string | null {
  return (statements.get('select value from meta where name = ?').pluck().get(name) as string | undefined) ?? null;
}

/** Keeps a value under a name unless there is one already; returns the value that stands. */
export function keepMeta(statements: Statements, name: string, value: string): string {
  const kept = readMeta(statements, name);
  if (kept !== null) return kept;
  statements.get('insert into meta (name, value) values (?, ?) on conflict (name) do nothing').run(name, value);
  return readMeta(statements, name) ?? value;
}

/** Keeps a value under a name, whatever was there before. */
export function setMeta(statements: Statements, name: string, value: string): void {
  statements
    .get('insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')
    .run(name, value);
}

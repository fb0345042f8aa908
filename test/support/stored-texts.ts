import type { RuntimeFixture } from './runtime.ts';

/** Every cell of every table as text, byte for byte: what somebody finds who searches the file itself. */
export function storedTexts({ database }: RuntimeFixture): string[] {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[];
  const rows = tables.flatMap((table) => database.prepare(`select * from "${table}"`).raw().all() as unknown[][]);
  return rows.flat().map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell)));
}

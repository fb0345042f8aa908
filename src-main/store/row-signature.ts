import { canonicalJson, sameDigest } from '../domain/digest.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { Sealer } from '../system/seal.ts';
import type { Statements } from './statements.ts';

/*
 * Rows that say who may do what are signed with the data key: whoever edits the file
 * without it can break them, which closes what they open, but cannot change them.
 */

export type SignedTable = 'operators' | 'configurations';

type SignedRow = JsonObject & { id: number | string; mac: string };

/**
 * The signature of a row: covers the table and every column of `row` that says something. One that is null is as one that
 * is not there, so a column that a later release adds leaves the rows from before as they were signed.
 */
export function signRow(sealer: Sealer, table: SignedTable, row: JsonObject): string {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return sealer.mac(`${table}/1:${canonicalJson(said)}`);
}

/**
 * Whether a stored row is as this installation wrote it. Every transaction asks it of the same few rows, so a
 * signature that held is remembered with all that it covers: a row that differs anywhere is another row.
 */
export function isSignedRow(sealer: Sealer, table: SignedTable, signed: JsonObject & { mac: string }): boolean {
  const proven = provenBy(sealer);
  const text = table + JSON.stringify(signed);
  if (proven.has(text)) return true;
  const { mac, ...row } = signed;
  if (!sameDigest(signRow(sealer, table, row), mac)) return false;
  if (proven.size >= MAX_PROVEN) proven.clear();
  proven.add(text);
  return true;
}

/** More rows than an installation has operators and configurations; bounds the memory, not the answer. */
const MAX_PROVEN = 1_000;
const proven = new WeakMap<Sealer, Set<string>>();

function provenBy(sealer: Sealer): Set<string> {
  let rows = proven.get(sealer);
  if (!rows) proven.set(sealer, (rows = new Set()));
  return rows;
}

/** Signs every row anew that `from` signed; a row that somebody edited stays as invalid as it is. Returns how many. */
export function resignRows(
  statements: Statements,
  table: SignedTable,
  columns: string,
  { from, to }: { from: Sealer; to: Sealer },
): number {
  const rows = statements.get(`select ${columns} from ${table}`).all() as SignedRow[];
  const ours = rows.filter((row) => isSignedRow(from, table, row));
  for (const { mac: _mac, ...row } of ours) {
    statements.get(`update ${table} set mac = ? where id = ?`).run(signRow(to, table, row), row.id);
  }
  return ours.length;
}

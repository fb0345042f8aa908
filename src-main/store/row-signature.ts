import { canonicalJson, sameDigest } from '../domain/digest.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { Sealer } from '../system/seal.ts';

/*
 * Rows that say who may do what are signed with the data key: whoever edits the file
 * without it can break them, which closes what they open, but cannot change them.
 */

export type SignedTable = 'operators' | 'configurations';

/** The signature of a row: covers the table and every column of `row`. */
export function signRow(sealer: Sealer, table: SignedTable, row: JsonObject): string {
  return sealer.mac(`${table}/1:${canonicalJson(row)}`);
}

/** Whether a stored row is as this installation wrote it. */
export function isSignedRow(
  sealer: Sealer,
  table: SignedTable,
  { mac, ...row }: JsonObject & { mac: string },
): boolean {
  return sameDigest(signRow(sealer, table, row), mac);
}

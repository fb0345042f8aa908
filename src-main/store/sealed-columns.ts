import type { ConfigurationSettings } from '../domain/configuration.ts';
import { keyPlace } from './configuration-store.ts';
import { proofPlace } from './operator-store.ts';
import { place } from './sealed-parts.ts';
import { SIGNING_KEY_PLACE } from './signed-heads.ts';

/** A stored value with what its place is made of. */
type Row = Record<string, string | number>;

/** A column of sealed values. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, in its order. */
  key: string[];
  /** Columns that are part of the place beside the key. */
  more?: string[];
  place(row: Row): string;
}

const text = (row: Row, name: string): string => row[name] as string;
const count = (row: Row, name: string): number => row[name] as number;

/** Every sealed column there is; a test compares the list with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'run_requests', column: 'sealed', key: ['run_id'], place: (row) => place.request(text(row, 'run_id')) },
  {
    table: 'pending_turns',
    column: 'sealed',
    key: ['run_id'],
    more: ['revision'],
    place: (row) => place.pendingTurn(text(row, 'run_id'), count(row, 'revision')),
  },
  {
    table: 'transcript_chunks',
    column: 'sealed',
    key: ['run_id', 'number'],
    place: (row) => place.transcript(text(row, 'run_id'), count(row, 'number')),
  },
  {
    table: 'decisions',
    column: 'sealed',
    key: ['run_id', 'number'],
    place: (row) => place.decision(text(row, 'run_id'), count(row, 'number')),
  },
  {
    table: 'receipts',
    column: 'sealed',
    key: ['run_id', 'decision_number'],
    place: (row) => place.receipt(text(row, 'run_id'), count(row, 'decision_number')),
  },
  { table: 'results', column: 'sealed', key: ['run_id'], place: (row) => place.result(text(row, 'run_id')) },
  {
    table: 'uncertain_writes',
    column: 'sealed',
    key: ['id'],
    more: ['run_id', 'call_id'],
    place: (row) => place.uncertainWrite(text(row, 'run_id'), text(row, 'call_id')),
  },
  {
    table: 'configurations',
    column: 'api_key_sealed',
    key: ['id'],
    more: ['settings'],
    place: (row) =>
      keyPlace({ id: text(row, 'id'), settings: JSON.parse(text(row, 'settings')) as ConfigurationSettings }),
  },
  {
    table: 'operators',
    column: 'proof_sealed',
    key: ['id'],
    more: ['proof_number'],
    place: (row) => proofPlace(count(row, 'id'), count(row, 'proof_number')),
  },
  { table: 'signing_key', column: 'sealed', key: ['id'], place: () => SIGNING_KEY_PLACE },
];

import { describe, expect, it } from 'vitest';
import { hashChange, type ChangeRow } from '../../src-main/store/change-log.ts';
import { hashEvent, type EventRow } from '../../src-main/store/event-log.ts';
import { openStoreFixture } from '../support/store.ts';

const EVENT: EventRow = {
  run_id: 'run-1',
  sequence: 3,
  kind: 'approval',
  round: 1,
  attempt: 1,
  at_ms: 1_000,
  duration_ms: 1.5,
  payload: '{}',
  previous_hash: 'a'.repeat(64),
};
const CHANGE: ChangeRow = {
  seq: 4,
  run_id: 'run-1',
  kind: 'decided',
  status: 'queued',
  last_sequence: 3,
  last_hash: 'b'.repeat(64),
  at_ms: 1_000,
  previous_hash: 'a'.repeat(64),
};
const another = (value: string | number): string | number => (typeof value === 'string' ? `${value}x` : value + 1);

/** The columns of a table in the schema of this release, but the hash itself. */
function columnsOf(table: string): string[] {
  const fixture = openStoreFixture();
  try {
    const columns = fixture.database.prepare(`select name from pragma_table_info(?)`).pluck().all(table) as string[];
    return columns.filter((name) => name !== 'hash').toSorted();
  } finally {
    fixture.dispose();
  }
}

describe('the hash of a record', () => {
  it.each(Object.keys(EVENT))('of an event covers its %s', (column) => {
    const changed = { ...EVENT, [column]: another(EVENT[column as keyof EventRow]) };
    expect(hashEvent(changed)).not.toBe(hashEvent(EVENT));
  });

  it.each(Object.keys(CHANGE))('of a change covers its %s', (column) => {
    const changed = { ...CHANGE, [column]: another(CHANGE[column as keyof ChangeRow]) };
    expect(hashChange(changed)).not.toBe(hashChange(CHANGE));
  });

  it('leaves out no column that the tables have', () => {
    expect(columnsOf('run_events')).toEqual(Object.keys(EVENT).toSorted());
    expect(columnsOf('changes')).toEqual(Object.keys(CHANGE).toSorted());
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
beforeAll(() => {
  fixture = openStoreFixture();
});
afterAll(() => fixture.dispose());

/** Edits of a row that was found whole before, each undone again. */
const EDITS = [
  ['operators', 'name', "'mallory'"],
  ['operators', 'os_account', "'uid:2'"],
  ['operators', 'is_admin', '0'],
  ['operators', 'is_enabled', '0'],
  ['operators', 'grants', `'["agent:approve"]'`],
  ['operators', 'proof_number', '7'],
  ['operators', 'mac', "replace(mac, substr(mac, 1, 1), 'x')"],
  ['configurations', 'identifier', "'other'"],
  ['configurations', 'is_active', '0'],
  ['configurations', 'settings', "replace(settings, 'scripted', 'Scripted')"],
  ['configurations', 'mac', "replace(mac, substr(mac, 1, 1), 'x')"],
] as const;

describe('a signed row that was proven before', () => {
  it.each(EDITS)('R-193 is not believed once somebody edits %s.%s', async (table, column, value) => {
    const { store, database, configuration } = fixture;
    const read = async (): Promise<unknown> =>
      table === 'operators' ? store.operator(1) : store.configuration(configuration.id);
    const before = await read();
    expect(before).not.toBeNull();
    const stored = database.prepare(`select ${column} from ${table}`).pluck().get();
    database.exec(`update ${table} set ${column} = ${value}`);
    expect(await read()).toBeNull();
    database.prepare(`update ${table} set ${column} = ?`).run(stored);
    expect(await read()).toEqual(before);
  });
});

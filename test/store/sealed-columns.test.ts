import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { saveOperator, saveProof } from '../../src-main/store/operator-store.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../../src-main/store/sealed-columns.ts';
import { SealBrokenError } from '../../src-main/domain/sealed-faults.ts';
import { aCall, aTurn } from '../support/run-builders.ts';
import { livesOf } from '../support/store-life.ts';
import { OPERATOR, openStoreFixture, PROOF, type StoreFixture } from '../support/store.ts';

type Row = Record<string, string | number> & { sealed: Buffer };

describe('a sealed value', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = openStoreFixture();
    const lives = livesOf(fixture);
    const second = { id: 2, name: 'second', osAccount: null, isAdmin: false, isEnabled: true, grants: [] };
    saveOperator(fixture.statements, fixture.sealer, second, 1);
    for (const id of [1, 2]) saveProof(fixture.statements, fixture.sealer, id, PROOF);
    const said = { role: 'assistant' as const, content: 'I would change it.' };
    for (const identifier of ['one', 'two']) {
      const configuration = { ...fixture.configuration, id: identifier, identifier };
      saveConfiguration(fixture.statements, fixture.sealer, configuration, `key ${identifier}`, 1);
      // One run with two of everything while it lives, and one that has ended in the middle of a write.
      const living = await lives.claimed();
      for (let chunk = 0; chunk < 2; chunk += 1) {
        await lives.go(living.id, 'record_step', lives.step(living, { messages: [said] }));
      }
      let waiting = await lives.suspend(living, aTurn());
      for (let decision = 0; decision < 2; decision += 1) {
        await lives.go(living.id, 'decide_approval', lives.decision(waiting, { withdrawWindowMs: 5_000 }), 5_000);
        await lives.go(living.id, 'withdraw_approval', { actor: OPERATOR }, 6_000);
        waiting = (await fixture.store.run(living.id)) ?? waiting;
      }
      let ending = await lives.suspend(await lives.claimed(), aTurn());
      await lives.go(ending.id, 'decide_approval', lives.decision(ending));
      ending = await lives.suspend(await lives.claim(20_000), aTurn());
      await lives.go(ending.id, 'decide_approval', lives.decision(ending));
      const resumed = await lives.claim(20_000);
      await lives.go(ending.id, 'stamp_fence', {
        ...lives.held(resumed),
        callId: 'call-set_x',
        effect: 'non_idempotent_write',
      });
      await lives.go(ending.id, 'fail', {
        ...lives.held(resumed),
        failureClass: 'unknown',
        reason: 'interrupted_resume',
        errorClass: 'UncertainWrite',
        sentence: 'Nobody knows.',
        uncertainWrite: {
          callId: 'call-set_x',
          toolName: 'set_x',
          effect: 'non_idempotent_write',
          target: null,
          cause: 'interrupted',
          detail: { call: aCall('set_x'), preview: null },
        },
      });
    }
  });
  afterEach(() => fixture.dispose());

  const rowsOf = ({ table, column, key, more = [] }: SealedColumn): Row[] =>
    fixture.database
      .prepare(`select ${[...key, ...more].join(', ')}, ${column} as sealed from ${table} where ${column} is not null`)
      .all() as Row[];

  it.each(SEALED_COLUMNS.map((column) => [`${column.table}.${column.column}`, column] as const))(
    'H-055 of %s opens at its own place and at no other',
    (_name, column) => {
      const rows = rowsOf(column);

      expect(rows.length).toBeGreaterThanOrEqual(column.table === 'signing_key' ? 1 : 2);
      const places = SEALED_COLUMNS.flatMap((other) => rowsOf(other).map((row) => other.place(row)));
      expect(new Set(places).size).toBe(places.length);
      for (const row of rows) {
        for (const place of places) {
          const open = (): unknown => fixture.sealer.open(place, row.sealed);
          if (place === column.place(row)) expect(open).not.toThrow();
          else expect(open).toThrow(SealBrokenError);
        }
      }
    },
  );
});

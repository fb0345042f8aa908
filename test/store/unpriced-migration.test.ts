import { afterEach, beforeEach, expect, it } from 'vitest';
import { openConnection } from '../../src-main/store/connection.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
beforeEach(() => {
  fixture = openStoreFixture();
});
afterEach(() => fixture.dispose());

it('T-122 and D-04 migration 90 counts the answers without a cost of the runs from before', async () => {
  const { database, store, path } = fixture;
  const lives = livesOf(fixture);
  const asked = await lives.claimed();
  const llm = (payload: Record<string, number>) => ({ kind: 'llm' as const, round: 1, durationMs: 1, payload });
  const events = [llm({ costMicros: 7 }), llm({ promptTokens: 3 }), llm({}), llm({ costMicros: 0 })];
  const usage = { inputTokens: 1, outputTokens: 1, costMicros: 7 };
  await lives.go(asked.id, 'record_step', lives.step(asked, { events, usage, rounds: 1 }));
  const fresh = await lives.enqueue();
  database.exec('alter table runs drop column unpriced_answers');
  database.pragma('user_version = 80');
  store.close();

  const after = openConnection(path);
  const counted = after.prepare('select id, cost_micros, unpriced_answers from runs').all();
  after.close();
  expect(counted).toHaveLength(2);
  expect(counted).toEqual(
    expect.arrayContaining([
      { id: asked.id, cost_micros: 7, unpriced_answers: 2 },
      { id: fresh.id, cost_micros: null, unpriced_answers: 0 },
    ]),
  );
});

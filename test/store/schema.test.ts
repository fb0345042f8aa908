import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

const run = (sql: string, ...values: unknown[]) => fixture.database.prepare(sql).run(...values);

describe('the checks of a run row', () => {
  it.each([
    ['T-05', 'an unknown status', `status = 'finished'`],
    ['R-56', 'a waiting row that is held', `status = 'waiting_for_approval', waiting_since_ms = 1`],
    ['R-79', 'a running row without owner', `owner_token = ''`],
    ['R-79', 'a running row without lease', `lease_expires_at_ms = 0`],
    [
      'R-105',
      'a queued row with a fence',
      `status = 'queued', owner_token = '', lease_expires_at_ms = 0, fence_effect = 'read_only'`,
    ],
    ['R-28', 'an ended row without its end', `status = 'completed', owner_token = '', lease_expires_at_ms = 0`],
    ['R-28', 'a row that ended but runs', `finished_at_ms = 5`],
    ['T-05', 'a fence of an unknown effect', `fence_effect = 'maybe'`],
    ['R-34', 'an unknown hold', `hold = 'forever'`],
    ['X-11', 'more than 20 rounds', `max_rounds = 21`],
    ['X-11', 'no rounds', `max_rounds = 0`],
    ['R-106', 'an unknown mode', `mode = 'batch'`],
    ['X-17', 'an unknown segment', `segment = 'again'`],
    ['R-193', 'an initiator below 0', `initiator_id = -1`],
    ['R-104', 'a requeue count below 0', `requeue_count = -1`],
    ['T-05', 'a text for a number', `rounds = 'two'`],
    ['T-05', 'nothing for a text', `label = null`],
  ])('%s refuse %s', async (_id, _what, assignments) => {
    await lives.enqueue();
    const held = await lives.claim();
    expect(() => run(`update runs set ${assignments} where id = ?`, held.id)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) }) as Error,
    );
  });
});

describe('the append-only tables', () => {
  it.each(['run_events', 'changes', 'decisions', 'receipts'])(
    'let nobody change or delete a row of %s',
    async (table) => {
      const waiting = await lives.waiting();
      await lives.go(waiting.id, 'decide_approval', lives.decision(waiting));
      await lives.claim(20_000);
      const count = () => fixture.database.prepare(`select count(*) from ${table}`).pluck().get() as number;
      const before = count();
      expect(before).toBeGreaterThan(0);
      expect(() => run(`update ${table} set run_id = run_id`)).toThrow(`${table} is append-only`);
      expect(() => run(`delete from ${table}`)).toThrow(`${table} is append-only`);
      expect(() => run(`replace into ${table} select * from ${table}`)).toThrow(`${table} is append-only`);
      expect(count()).toBe(before);
    },
  );

  it('let nobody change a stored chunk of a transcript', async () => {
    const { id } = await lives.enqueue();
    const held = await lives.claim();
    await lives.go(id, 'record_step', lives.step(held, { messages: [{ role: 'assistant', content: 'said' }] }));
    expect(() => run('update transcript_chunks set number = 9')).toThrow('transcript_chunks is append-only');
  });

  it('X-8 hold each sequence of a run once', async () => {
    const { id } = await lives.enqueue();
    const again = `insert into run_events select run_id, sequence, 'llm', 1, 1, 1, 1, '{}', previous_hash, 'other' from run_events where run_id = ?`;
    expect(() => run(again, id)).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }) as Error);
  });

  it('hold events of stored runs only', () => {
    const stray = `insert into run_events values ('nobody', 0, 'llm', 1, 1, 1, 1, '{}', '', '')`;
    expect(() => run(stray)).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' }) as Error);
  });
});

describe('the chain head', () => {
  it('is one row', async () => {
    await lives.enqueue();
    expect(() => run(`insert into chain_head values (2, 1, '', '')`)).toThrow(
      expect.objectContaining({ code: 'SQLITE_CONSTRAINT_CHECK' }) as Error,
    );
  });
});

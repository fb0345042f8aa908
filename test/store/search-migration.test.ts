import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src-main/domain/run.ts';
import { search } from '../../src-main/store/migrations/00020-search.ts';
import { openSearchReader } from '../../src-main/store/search-reader.ts';
import { aCall, aTurn } from '../support/run-builders.ts';
import { aSearch } from '../support/search.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';
import { livesOf } from '../support/store-life.ts';

/** Takes everything of the search out of a file again, as an older release would have left it. */
const UNDO = `
  drop trigger runs_counted_in; drop trigger runs_counted_over; drop trigger runs_counted_out; drop table run_counts;
  drop table run_text; drop table run_index; drop table run_names;`;

describe('a file of an older release', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = openStoreFixture({ privacy: 'full' });
  });
  afterEach(() => fixture.dispose());

  it('T-122 has the same index after the migration as if every run had been indexed when it came', async () => {
    const lives = livesOf(fixture);
    const first = await lives.waiting(aTurn([aCall('set_x')]));
    const run = await lives.enqueue({ label: 'Größe', actor: { kind: 'service', name: 'nightly', scopes: [] } }, 5_000);
    await lives.go(run.id, 'cancel', { actor: OPERATOR });
    await lives.go(first.id, 'decide_approval', lives.decision(first));
    const resumed = await lives.claim(20_000);
    const payloads: Pick<EventDraft, 'kind' | 'payload'>[] = [
      { kind: 'llm', payload: { requestedToolNames: ['read_x', 'read_y'] } },
      { kind: 'llm', payload: { requestedToolCalls: [{ name: 'read_z' }, { name: 'set_x' }] } },
      { kind: 'request', payload: { messagesSent: [{ role: 'user', content: 'find the albatross' }] } },
      {
        kind: 'tool_write',
        payload: { toolName: 'set_x', target: { kind: 'file', workspace: 'w', path: 'robots.txt' } },
      },
    ];
    const events = payloads.map((event) => ({ ...event, round: 2, durationMs: 1 }));
    await lives.go(resumed.id, 'record_step', lives.step(resumed, { events }));

    const index = () =>
      fixture.database
        .prepare('select key, run_id, status_group, initiator, configuration, created_at_ms from run_index')
        .all();
    const names = () => fixture.database.prepare(`select name, key from run_names where kind = 'tool'`).all();
    const counts = () => fixture.database.prepare('select * from run_counts where runs > 0').all();
    const before = { index: index(), names: names(), counts: counts() };
    expect(before.names).toHaveLength(4);

    fixture.database.exec(UNDO);
    fixture.database.exec(search);
    expect({ index: index(), names: names(), counts: counts() }).toEqual(before);
    const reader = openSearchReader(fixture.path, () => true);
    try {
      const find = (text: string) => reader.search(aSearch({ text })).runs.map(({ label }) => label);
      expect(find('grosse')).toEqual([]);
      expect(find('große nightly')).toEqual(['Größe']);
      for (const text of ['albatross', 'read_y', 'robots.txt', 'set_x tester sample'])
        expect(find(text), text).toEqual(['a run']);
    } finally {
      reader.close();
    }
    // It goes on from there.
    await lives.go(resumed.id, 'cancel', { actor: OPERATOR });
    expect(index()).toMatchObject([{ status_group: 'ended' }, { status_group: 'ended' }]);
    expect(fixture.database.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('T-122 keeps its prompts out of the index unless privacy is full', async () => {
    fixture.dispose();
    fixture = openStoreFixture({ privacy: 'redacted' });
    const lives = livesOf(fixture);
    await lives.enqueue();
    const run = await lives.claim();
    const payload = { messagesSent: [{ role: 'user', content: 'find the albatross' }] };
    await lives.go(
      run.id,
      'record_step',
      lives.step(run, { events: [{ kind: 'request', round: 1, durationMs: 0, payload }] }),
    );
    fixture.database.exec(UNDO);
    fixture.database.exec(search);
    expect(fixture.database.prepare('select prompt from run_index').pluck().all()).toEqual(['']);
  });
});

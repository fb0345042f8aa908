import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { RunChange } from '../../src-main/domain/run-change.ts';
import { applyChange } from '../../src-main/store/apply-change.ts';
import { livesOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

/* A change is applied to the very row its rule saw. Inside one transaction it cannot be another; this is the last fence. */
describe('the row of a change', () => {
  let fixture: StoreFixture;
  let run: RunRecord;
  beforeEach(async () => {
    fixture = openStoreFixture();
    const lives = livesOf(fixture);
    await lives.enqueue();
    run = await lives.claim();
  });
  afterEach(() => fixture.dispose());

  const RENEWAL: RunChange = {
    kind: 'step',
    from: 'running',
    set: { leaseExpiresAtMs: 9 },
    events: [],
    isSilent: true,
  };
  const apply = (stored: RunRecord, change = RENEWAL) =>
    fixture.database
      .transaction(() => applyChange(fixture.statements, fixture.sealer, stored, change, 5_000))
      .immediate();
  const lease = () => fixture.database.prepare('select lease_expires_at_ms from runs').pluck().get();

  it('is the one its rule saw', () => {
    apply(run);
    expect(lease()).toBe(9);
  });

  it('has the status that the change goes out from', () => {
    expect(() => apply(run, { ...RENEWAL, from: 'queued' })).toThrow('The run moved');
    expect(lease()).toBe(run.leaseExpiresAtMs);
  });

  it('has the owner that its rule saw', () => {
    expect(() => apply({ ...run, ownerToken: 'another claim' })).toThrow('The run moved');
    expect(lease()).toBe(run.leaseExpiresAtMs);
  });
});

/* What SQLite itself refuses, whatever a rule with a mistake in it would have it do. */
describe('the table of transitions in the database', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = openStoreFixture();
  });
  afterEach(() => fixture.dispose());

  it('lets no ended run come back to life', async () => {
    const lives = livesOf(fixture);
    await lives.enqueue();
    const run = await lives.claim();
    await lives.go(run.id, 'complete', { ...lives.held(run), reason: 'completed', answer: 'done' });
    expect(() => fixture.database.prepare(`update runs set status = 'queued'`).run()).toThrow('no such transition');
  });

  it('lets no run be born running', async () => {
    const { id } = await livesOf(fixture).enqueue();
    const columns = fixture.database
      .prepare(`select group_concat(name) from pragma_table_info('runs') where name not in ('id', 'status')`)
      .pluck()
      .get() as string;
    const birth = fixture.database.prepare(
      `insert into runs (id, status, ${columns}) select 'twin', ?, ${columns} from runs where id = ?`,
    );
    expect(() => birth.run('running', id)).toThrow('no such transition');
  });
});

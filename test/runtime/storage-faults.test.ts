import { describe, expect, it } from 'vitest';
import { call, createGate } from '../support/fake-model.ts';
import { OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });

/** Makes SQLite itself refuse rows of a table, as a broken disk would. */
const breakTable = (f: RuntimeFixture, table: string, when = '1'): void =>
  void f.database.exec(
    `create temp trigger broken before insert on main.${table} when ${when} begin select raise(abort, 'disk I/O error'); end`,
  );
const repair = (f: RuntimeFixture): void => void f.database.exec('drop trigger broken');

/** Everything a decision could touch, as stored. */
const stored = (f: RuntimeFixture): unknown =>
  [
    'runs',
    'run_events',
    'changes',
    'decisions',
    'pending_turns',
    'run_requests',
    'transcript_chunks',
    'chain_head',
  ].map((table) => f.database.prepare(`select * from ${table}`).all());

describe('a store that fails', () => {
  const open = useRuntime();

  it('R-2 and R-20 starts nothing when the row cannot be stored: a fault, no run, no question to the model', async () => {
    const f = open([]);
    breakTable(f, 'run_requests');
    await expect(f.start()).rejects.toThrow('disk I/O error');
    repair(f);
    expect(f.database.prepare('select count(*) from runs').pluck().get()).toBe(0);
    expect(f.model.requests).toEqual([]);
  });

  it.each([
    ['approved', 'run_events', "new.kind = 'approval'"],
    ['denied', 'run_events', "new.kind = 'approval'"],
    ['approved', 'decisions', '1'],
    ['denied', 'decisions', '1'],
    ['approved', 'changes', '1'],
  ] as const)(
    'R-67, R-70, R-203, H-118 and H-119 takes a turn that is %s for undecided when %s cannot be stored',
    async (verdict, table, when) => {
      const f = open([{ calls: [setTitle] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      const before = stored(f);
      breakTable(f, table, when);
      const decide = verdict === 'approved' ? f.approve : f.deny;
      await expect(decide(id)).rejects.toThrow('disk I/O error');
      repair(f);
      expect(stored(f)).toEqual(before);
      expect(await decide(id)).toMatchObject({ ok: true });
      expect(await f.segment()).toBe('completed');
      expect((await f.kinds(id)).filter((kind) => kind === 'approval')).toHaveLength(1);
    },
  );

  it('R-42 invents no cancellation when the row cannot be read while a call is in flight', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ text: 'done' }))]);
    const { id } = await f.start();
    f.intercept = (kind) => (kind === 'renew_lease' ? Promise.reject(new Error('disk I/O error')) : null);
    const segment = f.segment();
    await gate.reached;
    await f.clock.advance(60_000);
    gate.open();
    expect(await segment).toBe('completed');
    expect(await f.row(id)).toMatchObject({ status: 'completed', endReason: 'completed' });
    expect(f.reports.map(({ error }) => String(error))).toEqual(['Error: disk I/O error']);
  });

  it('R-46 keeps a write on the list to check when the run was cancelled and the step cannot be stored', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.beforeEffect = async () => void (await f.runtime.cancel(OWNER, id));
    f.intercept = (kind) =>
      kind === 'record_step' && f.world.executed.length > 0 ? Promise.reject(new Error('disk I/O error')) : null;
    await f.segment();
    expect(await f.row(id)).toMatchObject({ status: 'cancelled' });
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x' }]);
    expect(f.reports.map(({ error }) => String(error))).toContain('Error: disk I/O error');
  });

  it('R-198 ends the run when the step of a write cannot be stored even once: it is not kept for later like a read', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    let failures = 0;
    f.intercept = (kind) => {
      if (kind !== 'record_step' || f.world.executed.length === 0 || failures > 0) return null;
      failures += 1;
      return Promise.reject(new Error('disk I/O error'));
    };
    expect(await f.segment()).toBe('failed');
    expect(f.model.requests).toHaveLength(1);
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x', cause: 'interrupted' }]);
  });
});

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
    'heads',
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

  const mark = call('mark_x', { key: 'title' });
  it.each([
    ['approved', 'run_events', "new.kind = 'approval'", setTitle],
    ['approved', 'run_events', "new.kind = 'approval'", mark],
    ['denied', 'run_events', "new.kind = 'approval'", setTitle],
    ['approved', 'decisions', '1', setTitle],
    ['denied', 'decisions', '1', setTitle],
    ['approved', 'changes', '1', setTitle],
  ] as const)(
    'R-67, R-70, R-203, H-118, H-119 and H-122 takes a turn that is %s for undecided when %s cannot be stored',
    async (verdict, table, when, asked) => {
      const f = open([{ calls: [asked] }, { text: 'done' }]);
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

  it.each([
    ['run_events', "new.kind = 'input'"],
    ['decisions', '1'],
  ])(
    'R-76 and H-217 takes a question for unanswered when %s cannot be stored: a fault, and it can be answered again',
    async (table, when) => {
      const f = open([{ calls: [call('ask_x', {})] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      const card = await f.runtime.pendingDecision(OWNER, id);
      const { turnDigest = null, previewRevision = null } = card ?? {};
      const submit = () =>
        f.runtime.submitInput(OWNER, id, { turnDigest, previewRevision, answers: { ask_x: { town: 'Ulm' } } });
      const before = stored(f);
      breakTable(f, table, when);
      await expect(submit()).rejects.toThrow('disk I/O error');
      repair(f);
      expect(stored(f)).toEqual(before);
      expect(await submit()).toMatchObject({ ok: true });
      expect(await f.segment()).toBe('completed');
      expect((await f.kinds(id)).filter((kind) => kind === 'input')).toHaveLength(1);
    },
  );

  it('R-8 leaves no run behind that something inside it broke: it has failed, and says no word of why', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }]);
    f.ports.tools.execute = () => Promise.reject(new Error('the pool of tool children is broken'));
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'internal_error', errorClass: 'Error' });
    expect((await f.runtime.result(OWNER, id))?.failure).not.toContain('tool children');
    expect(f.reports.map(({ error }) => String(error))).toEqual(['Error: the pool of tool children is broken']);
  });

  it('R-13 answers to an end that cannot be stored with an outcome, and throws nothing', async () => {
    const f = open([{ text: 'done' }]);
    const { id } = await f.start();
    f.intercept = (kind) => (kind === 'complete' ? Promise.reject(new Error('disk I/O error')) : null);
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'internal_error', rounds: 1 });
    const input = { ownerToken: 't', attempt: 1, reason: 'completed', answer: '' } as const;
    expect(await f.store.transition('no-such-run', { kind: 'complete', input, nowMs: 1 })).toEqual({
      ok: false,
      refusal: { kind: 'lease_lost' },
    });
  });

  it.each(['approve', 'deny'] as const)('R-63 takes nothing from a card that cannot be read (%s)', async (verdict) => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    f.database.prepare("update pending_turns set sealed = x'0102' where run_id = ?").run(id);
    const before = stored(f);
    const card = { turnDigest: (await f.row(id)).turnDigest, previewRevision: 1 };
    expect(await f.runtime[verdict](OWNER, id, card)).toEqual({ ok: false, refusal: { kind: 'state_unreadable' } });
    expect(stored(f)).toEqual(before);
  });

  /** An event nobody of us wrote, where the next one of the run has to stand. */
  const occupyNext = (f: RuntimeFixture, id: string): void =>
    void f.database
      .prepare(
        `insert into run_events select run_id, sequence + 1, 'llm', 1, 1, 1, 1, '{}', hash, 'stray' from run_events
         where run_id = ? order by sequence desc limit 1`,
      )
      .run(id);
  const removeStray = (f: RuntimeFixture): void => {
    const trigger = f.database.prepare("select sql from sqlite_master where name = 'run_events_no_delete'").pluck();
    const sql = trigger.get() as string;
    f.database.exec(`drop trigger run_events_no_delete; delete from run_events where hash = 'stray'; ${sql}`);
  };

  it('R-65 and H-109 decides nothing when the place of its event is taken: a fault, and the run still waits', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    occupyNext(f, id);
    const before = stored(f);
    await expect(f.approve(id)).rejects.toThrow('UNIQUE constraint failed: run_events');
    expect(stored(f)).toEqual(before);
    removeStray(f);
    expect(await f.approve(id)).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
  });

  it('X-8 stops a segment whose next event stands there already: nothing of the step is stored, no tool runs', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }]);
    const { id } = await f.start();
    f.intercept = async (kind) => {
      if (kind === 'record_step' && f.model.requests.length === 1) occupyNext(f, id);
      if (kind === 'fail') removeStray(f);
      return null;
    };
    expect(await f.segment()).toBe('failed');
    expect(f.world.executed).toEqual([]);
    expect(await f.kinds(id)).toEqual(['queued', 'attempt', 'request', 'finished']);
    expect(await f.row(id)).toMatchObject({ endReason: 'internal_error', rounds: 0 });
  });

  it('R-90 lets no call out of the house whose turn could not be recorded', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' })] }]);
    const { id } = await f.start();
    f.intercept = (kind) =>
      kind === 'record_step' && f.model.requests.length === 1 ? Promise.reject(new Error('disk full')) : null;
    expect(await f.segment()).toBe('failed');
    expect(f.world.executed).toEqual([]);
    expect(await f.kinds(id)).not.toContain('llm');
  });

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
    expect(await f.segment()).toBe('cancelled');
    expect(await f.row(id)).toMatchObject({ status: 'cancelled' });
    expect(f.world.values.get('title')).toBe('new title');
    expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x' }]);
    expect(f.reports.map(({ error }) => String((error as Error).cause))).toContain('Error: disk I/O error');
  });

  it.each([
    [setTitle, {}],
    [setTitle, { code: 'SQLITE_FULL' }],
    [call('make_x', { name: 'page' }, 'set_x'), { code: 'SQLITE_IOERR_WRITE' }],
  ])(
    'R-198 ends the run when the step of a write cannot be stored even once (%j, %j): it is neither kept for later like a read nor tried again',
    async (write, fault) => {
      const f = open([{ calls: [write] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      await f.approve(id);
      let failures = 0;
      f.intercept = (kind) => {
        if (kind !== 'record_step' || f.world.executed.length === 0 || failures > 0) return null;
        failures += 1;
        return Promise.reject(Object.assign(new Error('disk I/O error'), fault));
      };
      expect(await f.segment()).toBe('failed');
      expect(await f.row(id)).toMatchObject({ endReason: 'audit_failed', requeueCount: 0 });
      expect(f.model.requests).toHaveLength(1);
      expect(await f.store.uncertainWrites()).toMatchObject([{ runId: id, callId: 'set_x', cause: 'interrupted' }]);
    },
  );

  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC'])(
    'T-15 keeps a decision when the disk fails between it and its first call (%s): tried again, nobody asked again',
    async (code) => {
      const f = open([{ calls: [setTitle] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      await f.approve(id);
      let isBroken = true;
      f.intercept = (kind) =>
        kind === 'stamp_fence' && isBroken ? Promise.reject(Object.assign(new Error('disk'), { code })) : null;
      expect(await f.segment()).toBe('requeued');
      expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1, requeueCount: 1 });
      expect(f.world.executed).toEqual([]);
      isBroken = false;
      await f.clock.advance(60_000);
      expect(await f.segment()).toBe('completed');
      expect((await f.kinds(id)).filter((kind) => kind === 'approval' || kind === 'suspended')).toHaveLength(2);
      expect(f.world.values.get('title')).toBe('new title');
    },
  );

  it('T-15 keeps a decision when the disk fails as its turn is sent back: compared again, then asked again', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.world.values.set('title', 'edited by a person');
    f.intercept = (kind) =>
      kind === 'bounce' ? Promise.reject(Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })) : null;
    expect(await f.segment()).toBe('requeued');
    expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1, requeueCount: 1 });
    f.intercept = () => null;
    await f.clock.advance(60_000);
    expect(await f.segment()).toBe('awaiting_approval');
    expect(await f.row(id)).toMatchObject({ bounceCount: 1, previewRevision: 2 });
    expect(f.world.executed).toEqual([]);
  });

  it('T-15 gives up on a disk that never works again after three more tries, and says what happened', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    f.intercept = (kind) =>
      kind === 'stamp_fence' ? Promise.reject(Object.assign(new Error('disk'), { code: 'SQLITE_IOERR' })) : null;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await f.segment()).toBe('requeued');
      await f.clock.advance(600_000);
    }
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ endReason: 'retries_exhausted', errorClass: 'StorageFault' });
    expect((await f.runtime.result(OWNER, id))?.failure).toContain('disk');
  });

  it('T-20 ends a run whose first question cannot be stored, and keeps no other run from being claimed', async () => {
    const f = open([{ text: 'done' }], { systemPrompt: 'a\ud800b', privacy: 'full' });
    const { id } = await f.start();
    expect(await f.segment()).toBe('failed');
    expect(await f.row(id)).toMatchObject({ status: 'failed', endReason: 'internal_error' });
    f.configure({ systemPrompt: '' });
    await f.start();
    expect(await f.segment()).toBe('completed');
  });
});

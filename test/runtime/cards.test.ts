import { describe, expect, it } from 'vitest';
import { Runtime } from '../../src-main/runtime/runtime.ts';
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { until } from '../support/fake-clock.ts';
import { call, createGate } from '../support/fake-model.ts';
import { COLLEAGUE, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const setBody = call('set_x', { key: 'body', value: 'new body' });

/** What a process that has just been started knows: the file and nothing else. */
async function asJustStarted<T>(f: RuntimeFixture, look: (runtime: Runtime) => Promise<T>): Promise<T> {
  const store = createSqliteRunStore(openConnection(f.path), f.sealer, f.clock);
  try {
    return await look(new Runtime({ ...f.ports, store, newRunId: () => '' }));
  } finally {
    store.close();
  }
}

const bindings = async (f: RuntimeFixture, id: string) => {
  const card = await f.runtime.pendingDecision(OWNER, id);
  return { turnDigest: card?.turnDigest ?? null, previewRevision: card?.previewRevision ?? null };
};
const sealedTurns = (f: RuntimeFixture) =>
  f.database.prepare('select run_id, revision, hex(sealed) as sealed from pending_turns order by run_id').all();

/** Card, inbox and figures are questions to the rows: nothing else says that somebody must look. */
describe('a card', () => {
  const open = useRuntime();

  it('T-02 can be approved the moment it is there, however much was said before it', async () => {
    const f = open([{ text: 'words '.repeat(3_500_000), calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    const segment = f.segment();
    await until(async () => (await f.row(id)).status === 'waiting_for_approval');
    expect(await f.approve(id)).toMatchObject({ ok: true, value: { status: 'queued' } });
    expect(await segment).toBe('awaiting_approval');
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
  });

  it('X-1 and T-03 is the same for whoever starts anew and opens the file', async () => {
    const f = open([{ text: 'Shall I?', calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    expect(card?.calls).toMatchObject([{ arguments: { key: 'title', value: 'new title' } }]);
    expect(await asJustStarted(f, (runtime) => runtime.pendingDecision(OWNER, id))).toEqual(card);
    const decided = await asJustStarted(f, async (runtime) => runtime.approve(OWNER, id, await bindings(f, id)));
    expect(decided).toMatchObject({ ok: true });
    expect(await f.segment()).toBe('completed');
  });

  it('T-04 and T-14 says whose it is, and decides no other run', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [setBody] }, { text: 'done' }]);
    const one = await f.start({ label: 'first' });
    await f.segment();
    const other = await f.start({ label: 'second' }, COLLEAGUE);
    await f.segment();
    const cards = [
      await f.runtime.pendingDecision(COLLEAGUE, one.id),
      await f.runtime.pendingDecision(COLLEAGUE, other.id),
    ];
    expect(cards).toMatchObject([
      { runId: one.id, label: 'first', initiatorId: 3, configuration: 'sample', rounds: 1 },
      { runId: other.id, label: 'second', initiatorId: 5, configuration: 'sample', rounds: 1 },
    ]);
    expect(cards.map((card) => card?.calls?.[0]?.arguments.key)).toEqual(['title', 'body']);
    const before = await f.row(one.id);
    expect(await f.runtime.approve(OWNER, one.id, await bindings(f, other.id))).toMatchObject({
      refusal: { kind: 'stale_turn' },
    });
    expect(await f.row(one.id)).toEqual(before);
    expect(await f.runtime.approve(COLLEAGUE, other.id, await bindings(f, other.id))).toMatchObject({
      refusal: { kind: 'stale_turn' },
    });
    const { turnDigest = null, previewRevision = null } = cards[1] ?? {};
    expect(await f.runtime.approve(COLLEAGUE, other.id, { turnDigest, previewRevision })).toMatchObject({ ok: true });
    expect((await f.row(one.id)).status).toBe('waiting_for_approval');
  });

  it('T-06 and T-44 is gone with the end of its run, in the same commit, and no figure still counts it', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const card = await bindings(f, id);
    expect(await f.runtime.overview(OWNER, 10)).toMatchObject({
      waiting: [{ id }],
      counts: { waiting_for_approval: 1 },
    });
    const seen: unknown[] = [];
    const stop = f.store.onCommitted(() => void seen.push(sealedTurns(f)));
    await f.runtime.cancel(OWNER, id);
    stop();
    expect(seen).toEqual([[]]);
    expect(await f.runtime.overview(OWNER, 10)).toMatchObject({ waiting: [], counts: { waiting_for_approval: 0 } });
    expect(await f.runtime.queueFigures(OWNER)).toMatchObject({ oldestWaitingSinceMs: 0 });
    expect(await f.runtime.approve(OWNER, id, card)).toMatchObject({ refusal: { kind: 'not_awaiting_approval' } });
    expect((await f.events(id)).at(-1)).toMatchObject({
      kind: 'cancelled',
      payload: { from: 'waiting_for_approval', cancelledBy: 3 },
    });
  });

  it('T-42 takes no answer before it is there: refused, not kept for later', async () => {
    const gate = createGate();
    const f = open([() => gate.wait().then(() => ({ calls: [setTitle] }))]);
    const { id } = await f.start();
    const early = { turnDigest: 'f'.repeat(64), previewRevision: 1 };
    const notYet = { ok: false, refusal: { kind: 'not_awaiting_approval' } };
    expect(await f.runtime.approve(OWNER, id, early)).toEqual(notYet);
    const segment = f.segment();
    await gate.reached;
    expect(await f.runtime.approve(OWNER, id, early)).toEqual(notYet);
    gate.open();
    expect(await segment).toBe('awaiting_approval');
    expect(await f.row(id)).toMatchObject({ status: 'waiting_for_approval', lastDecisionNumber: 0 });
    expect(await f.store.nextDueAtMs()).toBeNull();
  });

  it('T-30 stays as it was shown when it is decided: the answer names it and rewrites nothing', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    const shown = sealedTurns(f);
    const { turnDigest } = await bindings(f, id);
    await f.approve(id);
    expect(shown).toHaveLength(1);
    expect(sealedTurns(f)).toEqual(shown);
    expect(await f.store.decision(id, 1)).toMatchObject({ turnDigest, previewRevision: 1 });
  });

  it('T-16 and its run look the same at every event to whoever loads them afresh, up to the answer', async () => {
    const f = open([{ calls: [call('read_x', { key: 'title' }), setTitle] }, { text: 'all done' }]);
    const { id } = await f.start();
    let looks = 0;
    const compare = async (): Promise<void> => {
      looks += 1;
      const look = async (runtime: Runtime) => [
        await runtime.detail(OWNER, id),
        await runtime.timeline(OWNER, id),
        await runtime.pendingDecision(OWNER, id),
        await runtime.overview(OWNER, 10),
      ];
      expect(await asJustStarted(f, look)).toEqual(await look(f.runtime));
    };
    f.intercept = async () => {
      await compare();
      return null;
    };
    await f.segment();
    await compare();
    await f.approve(id);
    await f.segment();
    await compare();
    expect(looks).toBeGreaterThan(8);
    expect(await asJustStarted(f, (runtime) => runtime.detail(OWNER, id))).toMatchObject({
      run: { status: 'completed' },
      result: { answer: 'all done' },
    });
  });
});

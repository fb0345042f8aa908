import { afterEach, describe, expect, it } from 'vitest';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import type { CardDecision } from '../../src-main/runtime/runtime.ts';
import { eventually, openWorld, proposeOnce, RENAME, type World } from '../support/world.ts';

/** A decision is bound to the turn, the preview and the state that were on the card: with real workers, tools and files. */
describe('a decision', () => {
  let world: World;
  afterEach(() => world.dispose());

  const cardOf = (runId: string): Promise<PendingDecisionView> =>
    eventually(() => world.opened.runtime.pendingDecision(world.opened.actor, runId));
  const approve = (runId: string, card: CardDecision) =>
    world.opened.runtime.approve(world.opened.actor, runId, { ...card, withdrawWindowMs: 0 });
  const ended = (runId: string) =>
    eventually(async () => {
      const run = await world.opened.runtime.status(world.opened.actor, runId);
      return run && run.finishedAtMs > 0 ? run : null;
    });
  /** Every row of the file that a decision could touch. */
  const everything = (): string =>
    JSON.stringify(
      [
        'runs',
        'run_events',
        'changes',
        'heads',
        'chain_head',
        'pending_turns',
        'transcript_chunks',
        'decisions',
        'receipts',
        'results',
      ].map((table) => world.opened.installation.statements.database.prepare(`select * from ${table}`).all()),
    );

  it('H-172 T-46 writes nothing when the footprint changed, and comes back with revision + 1 and the current preview', async () => {
    world = await openWorld(proposeOnce(RENAME));
    world.pool(1);
    const { id } = await world.start();
    const card = await cardOf(id);
    world.target(`update items set name = 'changed by somebody' where id = 1`);
    expect((await approve(id, card)).ok).toBe(true);
    const again = await eventually(async () => {
      const current = await world.opened.runtime.pendingDecision(world.opened.actor, id);
      return current && current.previewRevision > card.previewRevision ? current : null;
    });
    expect(again).toMatchObject({
      previewRevision: card.previewRevision + 1,
      turnDigest: card.turnDigest,
      bounceCount: 1,
    });
    expect(again.calls).toMatchObject([
      { isStale: true, preview: { changes: [{ field: 'name', before: 'changed by somebody', after: 'new' }] } },
    ]);
    expect(world.effects()).toEqual([{ action: 'update', name: 'changed by somebody' }]);
    // H-093: the window that still shows the old card cannot decide; H-179: the one that shows the new card can.
    expect(await approve(id, card)).toMatchObject({
      refusal: { kind: 'stale_preview', currentRevision: again.previewRevision },
    });
    expect((await approve(id, again)).ok).toBe(true);
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(world.target('select name from items where id = 1')).toEqual([{ name: 'new' }]);
    expect(await world.kinds(id)).toContain('approval_bounced');
  });

  it('H-174 goes through when only an unrelated field of the record changed', async () => {
    world = await openWorld(proposeOnce(RENAME));
    world.pool(1);
    const { id } = await world.start();
    const card = await cardOf(id);
    world.target(`update items set other = 'edited meanwhile' where id = 1`);
    expect((await approve(id, card)).ok).toBe(true);
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(world.target('select name, other from items where id = 1')).toEqual([
      { name: 'new', other: 'edited meanwhile' },
    ]);
    expect(await world.kinds(id)).not.toContain('approval_bounced');
  });

  it('H-112 H-113 R-69 is refused without, with an old or with a foreign digest or revision, and leaves every byte as it was', async () => {
    world = await openWorld(proposeOnce(RENAME));
    const pool = world.pool(1);
    const { id } = await world.start();
    const card = await cardOf(id);
    const foreign = await cardOf((await world.start()).id);
    // A bounce makes the first card an old one.
    world.target(`update items set name = 'moved' where id = 1`);
    await approve(id, card);
    const current = await eventually(async () => {
      const look = await world.opened.runtime.pendingDecision(world.opened.actor, id);
      return look && look.previewRevision > card.previewRevision ? look : null;
    });
    await pool.stop(5_000);
    const before = everything();
    const attempts: [string, CardDecision][] = [
      ['stale_turn', { turnDigest: null, previewRevision: current.previewRevision }],
      ['stale_turn', { turnDigest: '', previewRevision: current.previewRevision }],
      ['stale_turn', { turnDigest: foreign.turnDigest, previewRevision: current.previewRevision }],
      ['stale_turn', { turnDigest: current.turnDigest.toUpperCase(), previewRevision: current.previewRevision }],
      ['stale_turn', { turnDigest: current.turnDigest.slice(0, 12), previewRevision: current.previewRevision }],
      ['stale_preview', { turnDigest: current.turnDigest, previewRevision: card.previewRevision }],
      ['stale_preview', { turnDigest: current.turnDigest, previewRevision: null }],
    ];
    for (const [kind, attempt] of attempts) {
      expect(await approve(id, attempt)).toMatchObject({ ok: false, refusal: { kind } });
      expect(await world.opened.runtime.deny(world.opened.actor, id, attempt)).toMatchObject({
        ok: false,
        refusal: { kind },
      });
    }
    expect(everything()).toBe(before);
    expect((await approve(id, current)).ok).toBe(true);
  });

  it('H-175 writes nothing when it was approved without a preview, says why, and goes on', async () => {
    world = await openWorld(
      proposeOnce({ name: 'create_record', arguments: { database: 'target', table: 'gone', values: { name: 'new' } } }),
    );
    world.pool(1);
    const { id } = await world.start();
    const card = await cardOf(id);
    expect(card.calls).toMatchObject([{ preview: { kind: 'failed' } }]);
    expect(await approve(id, card)).toMatchObject({ refusal: { kind: 'blind_not_confirmed' } });
    expect((await approve(id, { ...card, confirmsBlind: true })).ok).toBe(true);
    expect(await ended(id)).toMatchObject({ status: 'completed', bounceCount: 0 });
    const answer = (await world.opened.runtime.result(world.opened.actor, id))?.answer;
    expect(answer).toMatch(/A person approved this change without a preview.*still cannot be shown: .*no table "gone"/);
    expect(world.effects()).toEqual([]);
    const events = await world.opened.runtime.events(world.opened.actor, id);
    expect(events.find(({ kind }) => kind === 'approval')?.payload).toMatchObject({ approved: true, blind: true });
    expect(events.find(({ kind }) => kind === 'tool')?.payload).toMatchObject({ outcome: 'refused' });
    expect(events.map(({ kind }) => kind)).not.toContain('tool_write');
  });

  it('H-150 R-202 denied, changes nothing, tells the model who declined, and the run goes on to its end', async () => {
    world = await openWorld(proposeOnce(RENAME));
    world.pool(1);
    const { id } = await world.start();
    const card = await cardOf(id);
    expect((await world.opened.runtime.deny(world.opened.actor, id, card)).ok).toBe(true);
    expect(await ended(id)).toMatchObject({ status: 'completed', endReason: 'completed' });
    expect(world.effects()).toEqual([]);
    const result = await world.opened.runtime.result(world.opened.actor, id);
    expect(result?.answer).toContain('approval_denied');
    expect(result?.answer).toContain('decided_by: run_owner');
    const kinds = await world.kinds(id);
    expect(kinds).not.toContain('tool_write');
    expect(kinds.indexOf('approval')).toBeLessThan(kinds.indexOf('tool'));
  });
});

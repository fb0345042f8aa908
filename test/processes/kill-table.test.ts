import { afterEach, describe, expect, it } from 'vitest';
import { verifyInstallation } from '../../src-main/compose.ts';
import { eventually, hasCrashed, openWorld, proposeOnce, RENAME, type World } from '../support/world.ts';

/*
 * What the record says after a death. How a run ends after a death at each point is
 * the crash lab's matter (test/crash-lab).
 */
describe('the record of a death', () => {
  let world: World;
  afterEach(() => world.dispose());

  it('X-21 after the claim: taken back uncounted, and claimed again within two seconds', async () => {
    world = await openWorld(proposeOnce(RENAME));
    world.pool(2, 'after_claim');
    const { id } = await world.start();
    await eventually(() => world.opened.runtime.pendingDecision(world.opened.actor, id));
    expect(hasCrashed(world)).toBe(true);
    const events = await world.opened.runtime.events(world.opened.actor, id);
    const attempts = events.filter((event) => event.kind === 'attempt');
    const reclaimed = events.find((event) => event.kind === 'reclaimed');
    expect(reclaimed?.payload).toMatchObject({ cause: 'worker_died', counted: false });
    expect(attempts).toHaveLength(2);
    expect((attempts[1]?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)).toBeLessThan(2_000);
    expect(await world.opened.runtime.status(world.opened.actor, id)).toMatchObject({
      requeueCount: 0,
      runsAlone: false,
    });
  });

  it('T-40 after the effect of an idempotent write: counted once, tried alone, and recorded as recovered', async () => {
    world = await openWorld(proposeOnce(RENAME));
    const { runtime, actor } = world.opened;
    const { id } = await world.start();
    const healthy = world.pool(1);
    const card = await eventually(() => runtime.pendingDecision(actor, id));
    await healthy.stop(5_000);
    world.pool(2, 'after_effect_before_result');
    await runtime.approve(actor, id, { ...card, withdrawWindowMs: 0 });
    // A tool that takes a worker down backs off; a person does not have to wait for it.
    await eventually(async () => (await runtime.retry(actor, id)).ok);
    const run = await eventually(async () => {
      const row = await runtime.status(actor, id);
      return row && row.finishedAtMs > 0 ? row : null;
    });
    expect(run).toMatchObject({ status: 'completed', requeueCount: 1, runsAlone: true });
    const events = await runtime.events(actor, id);
    expect(events.find((event) => event.kind === 'reclaimed')?.payload).toMatchObject({
      counted: true,
      fencedWrite: 'idempotent_write',
    });
    expect(events.find((event) => event.kind === 'tool')?.payload).toMatchObject({ recovered: true, outcome: 'ok' });
    expect(events.find((event) => event.kind === 'tool_write')?.payload).toMatchObject({
      target: { kind: 'record', table: 'items', key: { id: 1 } },
    });
    expect((await runtime.result(actor, id))?.answer).toContain('already applied (recovered)');
    expect(verifyInstallation(world.opened).problems).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyInstallation } from '../../src-main/compose.ts';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import { ADD, eventually, hasCrashed, openWorld, proposeOnce, RENAME, SOURCES, type World } from '../support/world.ts';

/*
 * What happens if the machine dies now: real workers, ended by a real SIGKILL at each
 * labelled point, against both kinds of write.
 */
describe('the kill table', () => {
  let world: World;
  afterEach(() => world.dispose());

  /** The card of a run that was brought to its write. */
  async function cardOf(runId: string): Promise<PendingDecisionView> {
    return eventually(() => world.opened.runtime.pendingDecision(world.opened.actor, runId));
  }

  async function approve(card: PendingDecisionView): Promise<void> {
    const decided = await world.opened.runtime.approve(world.opened.actor, card.runId, {
      ...card,
      withdrawWindowMs: 0,
    });
    expect(decided.ok).toBe(true);
  }

  async function ended(runId: string) {
    return eventually(async () => {
      const run = await world.opened.runtime.status(world.opened.actor, runId);
      return run && run.finishedAtMs > 0 ? run : null;
    });
  }

  /** Suspends with healthy workers, then lets the approved write meet workers that die at a point. */
  async function dieDuringWrite(call: object, point: Parameters<World['pool']>[1]) {
    world = await openWorld(proposeOnce(call as typeof RENAME));
    const { id } = await world.start();
    const healthy = world.pool(1);
    const card = await cardOf(id);
    await healthy.stop(5_000);
    world.pool(2, point);
    await approve(card);
    const run = await ended(id);
    expect(hasCrashed(world)).toBe(true);
    expect(verifyInstallation(world.opened).problems).toEqual([]);
    return { run, kinds: await world.kinds(id), events: await world.opened.runtime.events(world.opened.actor, id) };
  }

  it('X-21 after the claim: queued again, uncounted, claimed again within two seconds', async () => {
    world = await openWorld(proposeOnce(RENAME));
    world.pool(2, 'after_claim');
    const { id } = await world.start();
    await cardOf(id);
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

  it('T-10 before the fence: the approved write executes once and nobody is asked again', async () => {
    const { run, kinds } = await dieDuringWrite(RENAME, 'before_fence');
    expect(run).toMatchObject({ status: 'completed', requeueCount: 0 });
    expect(world.effects()).toEqual([{ action: 'update', name: 'new' }]);
    expect(kinds.filter((kind) => kind === 'suspended')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'approval')).toHaveLength(1);
  });

  it('R-112 after the fence, before the effect: an idempotent write executes once', async () => {
    const { run, kinds } = await dieDuringWrite(RENAME, 'after_fence_before_effect');
    expect(run).toMatchObject({ status: 'completed', requeueCount: 1 });
    expect(world.effects()).toEqual([{ action: 'update', name: 'new' }]);
    expect(kinds.filter((kind) => kind === 'suspended')).toHaveLength(1);
  });

  it('H-167 after the fence, before the effect: a non-idempotent write becomes an uncertain write', async () => {
    const { run, kinds } = await dieDuringWrite(ADD, 'after_fence_before_effect');
    expect(run).toMatchObject({ status: 'failed', endReason: 'not_retryable' });
    expect(world.effects()).toEqual([]);
    expect(kinds).toContain('uncertain_write');
    expect(await world.opened.installation.store.uncertainWrites()).toMatchObject([
      { runId: run.id, toolName: 'create_record' },
    ]);
  });

  it('T-40 after the effect, before the result: an idempotent write is recorded as recovered, effect count 1', async () => {
    const { run, events } = await dieDuringWrite(RENAME, 'after_effect_before_result');
    expect(run).toMatchObject({ status: 'completed' });
    expect(world.effects()).toEqual([{ action: 'update', name: 'new' }]);
    expect(events.find((event) => event.kind === 'tool')?.payload).toMatchObject({ recovered: true, outcome: 'ok' });
    expect(events.find((event) => event.kind === 'tool_write')?.payload).toMatchObject({
      target: { kind: 'record', table: 'items', key: { id: 1 } },
    });
    const result = await world.opened.runtime.result(world.opened.actor, run.id);
    expect(result?.answer).toContain('already applied (recovered)');
  });

  it('T-40 after the effect, before the result: a non-idempotent write is uncertain, effect count 1', async () => {
    const { run } = await dieDuringWrite(ADD, 'after_effect_before_result');
    expect(run).toMatchObject({ status: 'failed', endReason: 'not_retryable' });
    expect(world.effects()).toEqual([{ action: 'insert', name: 'added' }]);
    expect(await world.opened.installation.store.uncertainWrites()).toHaveLength(1);
  });

  it('T-10 after the decision: the write executes and nobody is asked again', async () => {
    world = await openWorld(proposeOnce(RENAME));
    const { id } = await world.start();
    const healthy = world.pool(1);
    const card = await cardOf(id);
    await healthy.stop(5_000);
    const words = [
      'approve',
      id,
      '--digest',
      card.turnDigest,
      '--revision',
      String(card.previewRevision),
      '--db',
      world.databasePath,
    ];
    const decider = spawnSync(process.execPath, [join(SOURCES, 'cli.ts'), ...words], {
      env: { ...process.env, COUNTERSIGN_CRASH_POINT: `after_decide:${join(world.folder, 'crashed')}` },
    });
    expect(decider.signal).toBe('SIGKILL');
    expect(await world.opened.runtime.status(world.opened.actor, id)).toMatchObject({
      status: 'queued',
      segment: 'resume',
    });
    world.pool(1);
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(world.effects()).toEqual([{ action: 'update', name: 'new' }]);
    const kinds = await world.kinds(id);
    expect(kinds.filter((kind) => kind === 'approval')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'suspended')).toHaveLength(1);
  });
});

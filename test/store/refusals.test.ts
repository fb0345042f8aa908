import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src-main/domain/run.ts';
import { NotPlainJsonError } from '../../src-main/domain/plain-json.ts';
import { saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { aTurn } from '../support/run-builders.ts';
import { livesOf, snapshotOf } from '../support/store-life.ts';
import { enqueueInput, openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
/** Whatever a test did, the record holds together afterwards. */
afterEach(() => {
  const { problems } = verifyChain(fixture.statements, fixture.sealer);
  fixture.dispose();
  expect(problems).toEqual([]);
});

describe('a refusal', () => {
  /** Each one changes nothing at all: row, sealed parts, events, changes, head. */
  async function refusedWithoutTrace(request: () => ReturnType<typeof lives.go>, kind: string) {
    const before = snapshotOf(fixture.database);
    const result = await request();
    expect(result).toMatchObject({ ok: false, refusal: { kind } });
    expect(snapshotOf(fixture.database)).toEqual(before);
  }

  it('H-112 of a decision leaves row, state, events and changes byte for byte', async () => {
    const run = await lives.waiting();
    const decide = (changes: Parameters<typeof lives.decision>[1]) => () =>
      lives.go(run.id, 'decide_approval', lives.decision(run, changes));
    await refusedWithoutTrace(decide({ turnDigest: null }), 'stale_turn');
    await refusedWithoutTrace(decide({ turnDigest: '0'.repeat(64) }), 'stale_turn');
    await refusedWithoutTrace(decide({ turnDigest: 'é'.repeat(64) }), 'stale_turn');
    await refusedWithoutTrace(decide({ previewRevision: 2 }), 'stale_preview');
    await refusedWithoutTrace(decide({ tools: [] }), 'approver_not_permitted');
    await refusedWithoutTrace(decide({ actor: { kind: 'operator', operatorId: 99 } }), 'not_awaiting_approval');
    await refusedWithoutTrace(decide({ actor: { kind: 'anonymous' } }), 'not_awaiting_approval');
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run))).toMatchObject({ ok: true });
    await refusedWithoutTrace(decide({}), 'already_decided');
  });

  it('H-132 judges the live account: disabled meanwhile, the right digest decides nothing', async () => {
    const run = await lives.waiting();
    const operator = { id: 1, name: 'tester', osAccount: 'uid:1', isAdmin: true, isEnabled: false, grants: [] };
    saveOperator(fixture.statements, fixture.sealer, operator, 2);
    await refusedWithoutTrace(() => lives.go(run.id, 'decide_approval', lives.decision(run)), 'not_awaiting_approval');
  });

  it('H-107 keeps the run decidable: after reactivation the same decision works', async () => {
    const run = await lives.waiting();
    const set = (isActive: boolean) =>
      saveConfiguration(fixture.statements, fixture.sealer, { ...fixture.configuration, isActive }, undefined, 1);
    set(false);
    await refusedWithoutTrace(() => lives.go(run.id, 'decide_approval', lives.decision(run)), 'configuration_inactive');
    set(true);
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run))).toMatchObject({ ok: true });
  });

  it('H-106 of a run without configuration leaves it waiting', async () => {
    const run = await lives.waiting();
    fixture.database.exec('delete from configurations');
    await refusedWithoutTrace(() => lives.go(run.id, 'decide_approval', lives.decision(run)), 'configuration_gone');
  });

  it('R-62 of a decision about no run, one that does not wait, or one without configuration takes nothing', async () => {
    const run = await lives.waiting();
    const decide = (id: string) => () => lives.go(id, 'decide_approval', lives.decision(run));
    await refusedWithoutTrace(decide('no-such-run'), 'not_awaiting_approval');
    const queued = await lives.enqueue();
    await refusedWithoutTrace(decide(queued.id), 'not_awaiting_approval');
    await lives.claim(20_000);
    await refusedWithoutTrace(decide(queued.id), 'not_awaiting_approval');
    fixture.database.exec('delete from configurations');
    await refusedWithoutTrace(decide(run.id), 'configuration_gone');
  });

  it('R-12 of a late end leaves the first one byte for byte', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const usage = { inputTokens: 10, outputTokens: 20, costMicros: 50_000 };
    await lives.go(id, 'record_step', lives.step(run, { usage, rounds: 1 }));
    const ended = { ...lives.held(run), reason: 'completed', answer: 'the answer' } as const;
    expect(await lives.go(id, 'complete', ended)).toMatchObject({ ok: true });
    const late = {
      ...lives.held(run),
      failureClass: 'unknown',
      reason: 'internal_error',
      errorClass: 'TypeError',
      sentence: 's',
      uncertainWrite: null,
    } as const;
    await refusedWithoutTrace(() => lives.go(id, 'fail', late), 'lease_lost');
    await refusedWithoutTrace(() => lives.go(id, 'complete', { ...ended, answer: 'another' }), 'lease_lost');
    expect(await fixture.store.run(id)).toMatchObject({
      status: 'completed',
      errorClass: '',
      rounds: 1,
      inputTokens: 10,
      outputTokens: 20,
      costMicros: 50_000,
    });
  });

  it('R-20 of a request stores nothing', async () => {
    const input = enqueueInput(fixture.configuration.id, { maxRounds: 0 });
    await refusedWithoutTrace(() => lives.go(input.id, 'enqueue', input), 'invalid_request');
    expect(await fixture.store.run(input.id)).toBeNull();
  });

  it('R-20 and T-39 of a second run with the same id leaves the first one as it is', async () => {
    const first = await lives.enqueue();
    const again = enqueueInput(fixture.configuration.id, { id: first.id, label: 'another' });
    await refusedWithoutTrace(() => lives.go(first.id, 'enqueue', again), 'already_started');
  });

  it('R-91 of a zombie touches nothing of the run another one executes', async () => {
    const { id } = await lives.enqueue();
    const zombie = await lives.claim();
    await lives.go(id, 'reclaim', { ownerToken: zombie.ownerToken, cause: 'worker_died' });
    const owner = await lives.claim(20_000);
    expect(owner.ownerToken).not.toBe(zombie.ownerToken);
    const held = lives.held(zombie);
    await refusedWithoutTrace(() => lives.go(id, 'record_step', lives.step(zombie)), 'lease_lost');
    await refusedWithoutTrace(() => lives.go(id, 'renew_lease', held), 'lease_lost');
    await refusedWithoutTrace(
      () => lives.go(id, 'stamp_fence', { ...held, callId: 'c', effect: 'idempotent_write' }),
      'lease_lost',
    );
    await refusedWithoutTrace(
      () => lives.go(id, 'complete', { ...held, reason: 'completed', answer: '' }),
      'lease_lost',
    );
    await refusedWithoutTrace(() => lives.go(id, 'release_claim', { ...held, cause: 'worker_stopped' }), 'lease_lost');
    await refusedWithoutTrace(() => lives.go(id, 'suspend', { ...held, turn: aTurn(), effects: {} }), 'lease_lost');
    await refusedWithoutTrace(
      () => lives.go(id, 'reclaim', { ownerToken: zombie.ownerToken, cause: 'worker_died' }),
      'lease_lost',
    );
    expect(await lives.go(id, 'complete', { ...lives.held(owner), reason: 'completed', answer: '' })).toMatchObject({
      ok: true,
    });
  });
});

describe('a fault in the middle of a transition', () => {
  it('H-120 takes no sequence and stores no half: the next step continues without a gap', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const before = snapshotOf(fixture.database);
    const events: EventDraft[] = [
      { kind: 'llm', round: 1, durationMs: 1, payload: {} },
      { kind: 'tool', round: 1, durationMs: 1, payload: { ratio: Number.NaN } },
    ];
    const broken = lives.go(
      id,
      'record_step',
      lives.step(run, { events, messages: [{ role: 'assistant', content: 'x' }] }),
    );
    await expect(broken).rejects.toThrow(NotPlainJsonError);
    expect(snapshotOf(fixture.database)).toEqual(before);
    await lives.go(id, 'record_step', lives.step(run));
    expect((await fixture.store.events(id, -1)).map((event) => event.sequence)).toEqual([0, 1, 2]);
  });

  it('H-123 harms no neighbour of the same commit', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const input = enqueueInput(fixture.configuration.id);
    const [broken, opened] = await Promise.allSettled([
      lives.go(
        id,
        'record_step',
        lives.step(run, { events: [{ kind: 'llm', round: 1, durationMs: Number.NaN, payload: {} }] }),
      ),
      lives.go(input.id, 'enqueue', input),
    ]);
    expect([broken.status, opened.status]).toEqual(['rejected', 'fulfilled']);
    expect(await fixture.store.run(input.id)).toMatchObject({ status: 'queued' });
  });
});

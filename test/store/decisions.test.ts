import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src-main/store/connection.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { aCall, aTurn } from '../support/run-builders.ts';
import { livesOf, runOf } from '../support/store-life.ts';
import { openStoreFixture, OPERATOR, type StoreFixture } from '../support/store.ts';

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

const kindsOf = async (runId: string) => (await fixture.store.events(runId, -1)).map((event) => event.kind);

describe('a decision', () => {
  it('H-098 is made once when two processes decide at the same moment', async () => {
    const run = await lives.waiting();
    const other = createSqliteRunStore(openConnection(fixture.path), fixture.sealer, systemClock);
    const request = { kind: 'decide_approval' as const, input: lives.decision(run), nowMs: 10_000 };
    const results = await Promise.all([
      fixture.store.transition(run.id, request),
      other.transition(run.id, request),
      fixture.store.transition(run.id, request),
      other.transition(run.id, request),
    ]);
    other.close();
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const refusals = results.flatMap((result) => (result.ok ? [] : [result.refusal]));
    const late = { kind: 'already_decided', status: 'queued' };
    expect(refusals).toEqual([late, late, late]);
    expect((await kindsOf(run.id)).filter((kind) => kind === 'approval')).toHaveLength(1);
  });

  it('H-094 is the first event of its segment and readable as stored', async () => {
    const run = await lives.waiting();
    await lives.go(run.id, 'decide_approval', lives.decision(run));
    expect((await kindsOf(run.id)).slice(-1)).toEqual(['approval']);
    expect(await fixture.store.decision(run.id, 1)).toMatchObject({
      number: 1,
      verdicts: { 'call-set_x': 'approved' },
      decidedBy: 1,
      turnDigest: run.turnDigest,
    });
  });

  it('R-61 and H-095 comes right after whatever was stored since the card was looked at', async () => {
    const { id } = await lives.enqueue();
    const zombie = await lives.claim();
    await lives.go(id, 'reclaim', { ownerToken: zombie.ownerToken, cause: 'worker_died' });
    const run = await lives.suspend(await lives.claim(20_000));
    const call = aCall('make_x');
    const write = {
      callId: call.id,
      toolName: call.name,
      effect: 'non_idempotent_write',
      target: null,
      cause: 'orphaned',
      detail: { call, preview: null },
    } as const;
    for (let times = 0; times < 5; times += 1) {
      await lives.go(id, 'record_orphan_write', { write: { ...write, callId: `c${times}` }, attempt: zombie.attempt });
    }
    expect(await lives.go(id, 'decide_approval', lives.decision(run), 30_000)).toMatchObject({ ok: true });
    const events = await fixture.store.events(id, run.lastSequence);
    expect(events.map(({ kind }) => kind)).toEqual([...Array<string>(5).fill('uncertain_write'), 'approval']);
    expect(events.at(-1)?.sequence).toBe(run.lastSequence + 6);
  });

  it('H-093 of a card from before a bounce is refused, with the current revision', async () => {
    const first = await lives.waiting();
    await lives.go(first.id, 'decide_approval', lives.decision(first));
    const resumed = await lives.claim(20_000);
    const turn = aTurn(aTurn().calls, { staleCallIds: ['call-set_x'] });
    const bounced = runOf(await lives.go(first.id, 'bounce', { ...lives.held(resumed), turn, effects: {} }));
    expect(bounced).toMatchObject({
      status: 'waiting_for_approval',
      previewRevision: 2,
      bounceCount: 1,
      turnDigest: first.turnDigest,
    });
    expect(await lives.go(first.id, 'decide_approval', lives.decision(first))).toEqual({
      ok: false,
      refusal: { kind: 'stale_preview', currentRevision: 2 },
    });
    expect(await lives.go(first.id, 'decide_approval', lives.decision(bounced))).toMatchObject({ ok: true });
  });

  it('T-45 is single-use: taken back, made again, it is another one', async () => {
    const run = await lives.waiting();
    await lives.go(run.id, 'decide_approval', lives.decision(run, { withdrawWindowMs: 5_000 }));
    expect(await lives.go(run.id, 'withdraw_approval', { actor: OPERATOR }, 11_000)).toMatchObject({ ok: true });
    expect(await lives.go(run.id, 'withdraw_approval', { actor: OPERATOR }, 11_000)).toMatchObject({ ok: false });
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run))).toMatchObject({
      refusal: { kind: 'stale_preview', currentRevision: 2 },
    });
    const again = (await fixture.store.run(run.id)) ?? run;
    await lives.go(run.id, 'decide_approval', lives.decision(again, { approved: false, denialReason: 'skip' }));
    expect(await fixture.store.decision(run.id, 2)).toMatchObject({
      number: 2,
      verdicts: { 'call-set_x': 'denied' },
      denialReason: 'skip',
    });
    expect((await kindsOf(run.id)).slice(-4)).toEqual(['approval', 'approval_withdrawn', 'suspended', 'approval']);
  });

  it('T-10 survives the death of the worker that carries it out: nobody is asked again', async () => {
    const run = await lives.waiting();
    await lives.go(run.id, 'decide_approval', lives.decision(run));
    const dead = await lives.claim(20_000);
    await lives.go(run.id, 'reclaim', { ownerToken: dead.ownerToken, cause: 'worker_died' });
    const next = await lives.claim(30_000);
    expect(next).toMatchObject({ id: run.id, segment: 'resume', decisionNumber: 1, attempt: 3 });
    expect(await fixture.store.pendingTurn(run.id)).toEqual(aTurn());
  });
});

describe('a write in doubt', () => {
  const turn = aTurn([aCall('make_x')]);
  async function inFlight() {
    const run = await lives.waiting(turn);
    await lives.go(run.id, 'decide_approval', lives.decision(run));
    const held = await lives.claim(20_000);
    return runOf(
      await lives.go(run.id, 'stamp_fence', {
        ...lives.held(held),
        callId: 'call-make_x',
        effect: 'non_idempotent_write',
      }),
    );
  }

  it('X-2 is listed when its worker died, and stays listed', async () => {
    const run = await inFlight();
    await lives.go(run.id, 'reclaim', { ownerToken: run.ownerToken, cause: 'worker_died' });
    expect(await fixture.store.uncertainWrites()).toMatchObject([
      {
        runId: run.id,
        callId: 'call-make_x',
        toolName: 'make_x',
        effect: 'non_idempotent_write',
        target: turn.previews[0]?.target,
        cause: 'interrupted',
      },
    ]);
    expect(await lives.go(run.id, 'record_step', lives.step(run, { fencedCallId: 'call-make_x' }))).toMatchObject({
      ok: false,
    });
    expect(await fixture.store.uncertainWrites()).toHaveLength(1);
  });

  it('X-2 is listed when its segment failed without naming it', async () => {
    const run = await inFlight();
    await lives.go(run.id, 'fail', {
      ...lives.held(run),
      failureClass: 'unknown',
      reason: 'internal_error',
      errorClass: 'TypeError',
      sentence: 's',
      uncertainWrite: null,
    });
    expect(await fixture.store.uncertainWrites()).toMatchObject([
      { callId: 'call-make_x', target: turn.previews[0]?.target },
    ]);
  });

  it('R-40 is listed by the cancel and resolved by the late step of that very call', async () => {
    const run = await inFlight();
    await lives.go(run.id, 'cancel', { actor: OPERATOR });
    expect(await fixture.store.uncertainWrites()).toHaveLength(1);
    await lives.go(run.id, 'record_step', lives.step(run, { events: [], fencedCallId: 'another-call' }));
    expect(await fixture.store.uncertainWrites()).toHaveLength(1);
    const late = runOf(await lives.go(run.id, 'record_step', lives.step(run, { fencedCallId: 'call-make_x' })));
    expect(late.status).toBe('cancelled');
    expect(await fixture.store.uncertainWrites()).toEqual([]);
    expect((await kindsOf(run.id)).slice(-2)).toEqual(['cancelled', 'llm']);
    const row = fixture.database.prepare('select resolution, resolved_at_ms from uncertain_writes').get();
    expect(row).toEqual({ resolution: 'recorded_late', resolved_at_ms: 10_000 });
  });

  it('X-3 is kept when its segment had lost the run, which it does not move', async () => {
    const { id } = await lives.enqueue();
    const zombie = await lives.claim();
    await lives.go(id, 'reclaim', { ownerToken: zombie.ownerToken, cause: 'worker_died' });
    const owner = await lives.claim(20_000);
    const call = aCall('make_x');
    const write = {
      callId: call.id,
      toolName: call.name,
      effect: 'non_idempotent_write',
      target: null,
      cause: 'orphaned',
      detail: { call, preview: null },
    } as const;
    const after = runOf(await lives.go(id, 'record_orphan_write', { write, attempt: zombie.attempt }));
    expect(after).toEqual({ ...owner, lastSequence: owner.lastSequence + 1 });
    expect(await fixture.store.uncertainWrites()).toMatchObject([{ runId: id, cause: 'orphaned' }]);
  });
});

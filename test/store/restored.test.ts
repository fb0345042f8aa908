import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import { signHead } from '../../src-main/store/change-log.ts';
import { appendInstallationEvent } from '../../src-main/store/installation-log.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { livesOf, runOf, snapshotOf } from '../support/store-life.ts';
import { OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture({ decisionLimitMs: LIMIT_MS });
  lives = livesOf(fixture);
});
afterEach(() => {
  expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
  fixture.dispose();
});

/** What an opening does that finds a copy. */
function noticeCopy(): void {
  fixture.database
    .transaction(() => {
      appendInstallationEvent(fixture.statements, 'restored', { cause: 'copied' }, 5_000);
      signHead(fixture.statements, (text) => fixture.sealer.mac(text));
    })
    .immediate();
}

const reread = async (run: RunRecord): Promise<RunRecord> => (await fixture.store.run(run.id)) as RunRecord;
const LATE = 9_000_000_000;
const LIMIT_MS = 7_776_000_000;

/** A run in each living status, all of them before the copy is noticed. */
const LIVING = {
  waiting: () => lives.waiting(),
  queued: () => lives.enqueue(),
  running: async () => {
    await lives.enqueue();
    return lives.claim();
  },
} as const;

describe('a run of a restored copy', () => {
  it.each(Object.keys(LIVING) as (keyof typeof LIVING)[])(
    'is held while it is %s, and is not touched',
    async (name) => {
      const run = await LIVING[name]();
      const stored = fixture.database.prepare('select * from runs').all();
      noticeCopy();
      expect(await reread(run)).toEqual({ ...run, hold: 'restored' });
      expect(fixture.database.prepare('select * from runs').all()).toEqual(stored);
      expect(await fixture.store.restoredRuns()).toEqual([run.id]);
    },
  );

  it('is not one that has ended', async () => {
    const run = await lives.waiting();
    await lives.go(run.id, 'cancel', { actor: OPERATOR });
    noticeCopy();
    expect((await reread(run)).hold).toBe('');
    expect(await fixture.store.restoredRuns()).toEqual([]);
  });

  it('is not one that was started since', async () => {
    noticeCopy();
    const run = await lives.enqueue();
    expect(run.hold).toBe('');
    expect((await lives.claim()).id).toBe(run.id);
  });

  type Attempt = [kind: TransitionKind, living: keyof typeof LIVING, input: (run: RunRecord) => object];
  const ATTEMPTS: Attempt[] = [
    ['decide_approval', 'waiting', (run) => lives.decision(run)],
    ['decide_approval', 'waiting', (run) => lives.decision(run, { approved: false })],
    ['expire', 'waiting', () => ({})],
    ['stamp_fence', 'running', (run) => ({ ...lives.held(run), callId: 'call-1', effect: 'idempotent_write' })],
    ['record_step', 'running', (run) => lives.step(run)],
    ['renew_lease', 'running', (run) => lives.held(run)],
    ['release_claim', 'running', (run) => ({ ...lives.held(run), cause: 'worker_stopped' })],
    ['complete', 'running', (run) => ({ ...lives.held(run), reason: 'completed', answer: '' })],
    ['reclaim', 'running', (run) => ({ ownerToken: run.ownerToken, cause: 'worker_died' })],
  ];
  it.each(ATTEMPTS)('is refused %s while it is %s, and every byte stays', async (kind, living, input) => {
    const run = await LIVING[living]();
    noticeCopy();
    const before = snapshotOf(fixture.database);
    const result = await lives.go(run.id, kind, input(run) as TransitionInputs[typeof kind], LATE);
    expect(result).toEqual({ ok: false, refusal: { kind: 'restored' } });
    expect(snapshotOf(fixture.database)).toEqual(before);
  });

  it('is not reminded of', async () => {
    const run = await lives.waiting();
    noticeCopy();
    const result = await lives.go(run.id, 'remind', {}, run.waitingSinceMs + LIMIT_MS - 1);
    expect(result).toEqual({ ok: false, refusal: { kind: 'restored' } });
    expect(await fixture.store.unremindedRuns(run.configurationId, 0, LATE)).toEqual([]);
  });

  it('refuses the retry of a run that waits for its next try', async () => {
    const run = await lives.enqueue();
    fixture.database.prepare('update runs set next_attempt_at_ms = 99999').run();
    noticeCopy();
    expect(await lives.go(run.id, 'retry', { actor: OPERATOR })).toEqual({ ok: false, refusal: { kind: 'restored' } });
  });

  it('tells a stranger nothing that it does not tell of a run that does not exist', async () => {
    const run = await lives.waiting();
    noticeCopy();
    const stranger = { kind: 'operator', operatorId: 77 } as const;
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run, { actor: stranger }))).toEqual({
      ok: false,
      refusal: { kind: 'not_awaiting_approval' },
    });
  });

  it('is not claimed, not due, and not taken back from a dead worker', async () => {
    await LIVING.running();
    await LIVING.queued();
    noticeCopy();
    const claimed = await fixture.store.claim({ workerId: 'w', ownerToken: 't', nowMs: LATE, isIdle: true });
    expect(claimed).toEqual({ ok: true, value: null });
    expect(await fixture.store.nextDueAtMs()).toBeNull();
    expect(await fixture.store.runningClaims()).toEqual([]);
  });

  it('can be cancelled, and is over then', async () => {
    const run = await lives.waiting();
    noticeCopy();
    expect(runOf(await lives.go(run.id, 'cancel', { actor: OPERATOR })).status).toBe('cancelled');
    expect(await fixture.store.restoredRuns()).toEqual([]);
  });

  it('goes on once it is released, the others do not', async () => {
    const [first, second] = [await lives.waiting(), await lives.waiting()];
    noticeCopy();
    expect(runOf(await lives.go(first.id, 'release_restored', { actor: OPERATOR })).hold).toBe('');
    expect(await fixture.store.restoredRuns()).toEqual([second.id]);
    expect((await lives.go(first.id, 'decide_approval', lives.decision(first))).ok).toBe(true);
    expect((await lives.claim(LATE)).id).toBe(first.id);
    expect((await fixture.store.events(first.id, -1)).map(({ kind }) => kind)).toContain('released');
  });

  it('that was being carried out is taken back as any other once it is released', async () => {
    const run = await LIVING.running();
    noticeCopy();
    await lives.go(run.id, 'release_restored', { actor: OPERATOR });
    expect((await fixture.store.runningClaims()).map(({ runId }) => runId)).toEqual([run.id]);
  });

  it('is held again when the copy is copied again', async () => {
    const run = await lives.waiting();
    noticeCopy();
    await lives.go(run.id, 'release_restored', { actor: OPERATOR });
    noticeCopy();
    expect((await reread(run)).hold).toBe('restored');
  });
});

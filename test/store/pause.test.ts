import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { livesOf } from '../support/store-life.ts';
import { OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

describe('the record of a pause', () => {
  let fixture: StoreFixture;
  let lives: ReturnType<typeof livesOf>;
  beforeEach(() => {
    fixture = openStoreFixture();
    lives = livesOf(fixture);
  });
  afterEach(() => fixture.dispose());
  const set = (isPaused: boolean, nowMs: number) => fixture.store.setPause({ actor: OPERATOR, isPaused }, nowMs);
  const problems = () => verifyChain(fixture.statements, fixture.sealer).problems;
  const count = (table: string) => fixture.database.prepare(`select count(*) from ${table}`).pluck().get();

  it('says who paused and when, and holds together with the runs', async () => {
    await lives.enqueue();
    expect(await set(true, 5_000)).toEqual({ ok: true, value: { isPaused: true, operatorId: 1, atMs: 5_000 } });
    await lives.enqueue();
    expect(await fixture.store.pause()).toEqual({ isPaused: true, operatorId: 1, atMs: 5_000 });
    expect(problems()).toEqual([]);
    expect(fixture.store.changesAfter(1)).toMatchObject({ hasInstallation: true });
  });

  it('holds nothing when nothing changed', async () => {
    await set(false, 4_000);
    await set(true, 5_000);
    await set(true, 6_000);
    expect(count('installation_events')).toBe(1);
    expect(await fixture.store.pause()).toEqual({ isPaused: true, operatorId: 1, atMs: 5_000 });
  });

  it.each([
    ['a changed event', `update installation_events set at_ms = 1`],
    ['a dropped event', 'delete from installation_events'],
    ['another reason', `update installation_events set kind = 'resumed'`],
  ])('shows %s', async (_name, sql) => {
    await set(true, 5_000);
    for (const name of ['no_update', 'no_delete']) fixture.database.exec(`drop trigger installation_events_${name}`);
    fixture.database.exec(sql);
    expect(problems().length).toBeGreaterThan(0);
  });

  it('is not ended by somebody without the key: nothing is claimed, and nothing more is written', async () => {
    await lives.enqueue();
    await set(true, 5_000);
    fixture.database.exec(
      `insert into installation_events values (1, 'resumed', 6000, '{"operatorId":1}', '', 'forged');
       insert into changes (seq, run_id, kind, status, last_sequence, last_hash, at_ms, previous_hash, hash)
         select max(seq) + 1, '', 'resumed', '', 1, 'forged', 6000, '', 'forged' from changes`,
    );
    const claim = fixture.store.claim({ workerId: 'w', ownerToken: 't', nowMs: 9_000, isIdle: true });
    await expect(claim).rejects.toThrow('changed outside');
    expect(problems().length).toBeGreaterThan(0);
  });

  it('keeps repairs of administrators only', async () => {
    expect(await fixture.store.recordRepair({ actor: OPERATOR, repairs: { found: 2 } }, 5_000)).toMatchObject({
      ok: true,
    });
    const stranger = { kind: 'operator', operatorId: 99 } as const;
    expect(await fixture.store.recordRepair({ actor: stranger, repairs: {} }, 5_000)).toEqual({
      ok: false,
      refusal: { kind: 'not_administrator' },
    });
    expect(count('installation_events')).toBe(1);
    expect(problems()).toEqual([]);
  });
});

describe('a busy endpoint', () => {
  const LOCAL = { kind: 'openai_compatible', baseUrl: 'http://127.0.0.1:1/v1', modelId: 'm' } as const;

  it('gets one run at a time when it is on this machine, the next as soon as it is free', async () => {
    const fixture = openStoreFixture({ model: LOCAL });
    try {
      const lives = livesOf(fixture);
      await lives.enqueue();
      await lives.enqueue();
      const claim = () =>
        fixture.store.claim({ workerId: 'w', ownerToken: `t${Math.random()}`, nowMs: 9_000, isIdle: true });
      const first = await claim();
      expect(first).toMatchObject({ ok: true, value: { status: 'running' } });
      expect(await claim()).toEqual({ ok: true, value: null });
      if (first.ok && first.value) {
        const { id, ownerToken, attempt } = first.value;
        await lives.go(id, 'complete', { ownerToken, attempt, reason: 'completed', answer: '' });
      }
      expect(await claim()).toMatchObject({ ok: true, value: { status: 'running' } });
    } finally {
      fixture.dispose();
    }
  });
});

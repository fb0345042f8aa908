import { describe, expect, it } from 'vitest';
import { examineInstallation, repairInstallation } from '../../src-main/runtime/examine-installation.ts';
import { place } from '../../src-main/store/sealed-parts.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });

describe('a part of a run in the form of a newer release', () => {
  const open = useRuntime();

  /** Puts a part in place of the stored one as a newer release would have written it. */
  function renew(f: RuntimeFixture, table: 'pending_turns' | 'run_requests' | 'decisions', at: string): Buffer {
    const column = f.database.prepare(`select sealed from ${table}`).pluck();
    const value = f.sealer.open(at, column.get() as Buffer) as { v: number };
    f.database.exec('drop trigger decisions_no_update');
    f.database.prepare(`update ${table} set sealed = ?`).run(f.sealer.seal(at, { ...value, v: value.v + 1 }));
    return column.get() as Buffer;
  }
  const sealedOf = (f: RuntimeFixture, table: string): unknown =>
    f.database.prepare(`select sealed from ${table}`).pluck().get();

  it.each(['run_requests', 'pending_turns', 'decisions'] as const)(
    'D-14 and R-188 is left as it is (%s): the run waits for that release, uncounted, and nothing of it is lost',
    async (table) => {
      const f = open([{ calls: [setTitle] }, { text: 'done' }]);
      const { id } = await f.start();
      await f.segment();
      await f.approve(id);
      const places = {
        run_requests: place.request(id),
        pending_turns: place.pendingTurn(id, 1),
        decisions: place.decision(id, 1),
      };
      const sealed = renew(f, table, places[table]);
      expect(await f.segment()).toBe('requeued');
      expect(await f.row(id)).toMatchObject({ status: 'queued', decisionNumber: 1, requeueCount: 0 });
      expect((await f.row(id)).nextAttemptAtMs).toBe(f.clock.nowMs() + 600_000);
      expect(sealedOf(f, table)).toEqual(sealed);
      expect((await f.events(id)).at(-1)?.payload).toMatchObject({ cause: 'other_form', counted: false });
      expect(f.world.executed).toEqual([]);
    },
  );

  it('D-14 is said on the card, refuses every decision and is nothing that the doctor gives up', async () => {
    const f = open([{ calls: [setTitle] }]);
    const { id } = await f.start();
    await f.segment();
    const sealed = renew(f, 'pending_turns', place.pendingTurn(id, 1));
    expect(await f.runtime.pendingDecision(OWNER, id)).toMatchObject({ calls: null, unreadable: 'other_form' });
    expect(await f.approve(id)).toMatchObject({ ok: false, refusal: { kind: 'state_unreadable' } });
    const ports = {
      store: f.store,
      clock: f.clock,
      staleClaims: async () => [],
      hasWorker: () => true,
      chainProblems: () => [],
      freeMegabytes: () => 10_000,
      floorMegabytes: 200,
    };
    const findings = await examineInstallation(ports);
    expect(findings).toMatchObject([{ kind: 'other_form', runId: id, facts: { part: 'turn' } }]);
    const nothingStale = async () => ({ requeued: 0, deadLettered: 0 });
    expect(await repairInstallation(ports, ADMIN, findings, nothingStale)).toMatchObject({ settledUnreadable: 0 });
    expect((await f.row(id)).status).toBe('waiting_for_approval');
    expect(sealedOf(f, 'pending_turns')).toEqual(sealed);
  });
});

describe('a segment whose file is taken over by a newer release', () => {
  const open = useRuntime();

  it('T-122 stops before its next effect: an approved write is not fenced and not executed, and nothing is lost', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }]);
    const { id } = await f.start();
    await f.segment();
    await f.approve(id);
    const setVersion = (version: number): void => {
      const other = openSqlite(f.path);
      other.pragma(`user_version = ${version}`);
      other.close();
    };
    const current = f.database.pragma('user_version', { simple: true }) as number;
    f.intercept = (kind) => {
      if (kind === 'stamp_fence') setVersion(current + 10);
      return null;
    };
    await expect(f.segment()).rejects.toThrow(/newer/i);
    expect(f.world.executed).toEqual([]);
    expect(await f.row(id)).toMatchObject({ status: 'running', decisionNumber: 1, fenceEffect: '' });

    f.intercept = () => null;
    setVersion(current);
    const { ownerToken } = await f.row(id);
    const input = { ownerToken, cause: 'worker_died' } as const;
    expect(await f.store.transition(id, { kind: 'reclaim', input, nowMs: f.clock.nowMs() })).toMatchObject({
      ok: true,
    });
    expect(await f.segment()).toBe('completed');
    expect(f.world.values.get('title')).toBe('new title');
  });
});

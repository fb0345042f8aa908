import { describe, expect, it } from 'vitest';
import {
  examineInstallation,
  repairInstallation,
  type ExaminerPorts,
} from '../../src-main/runtime/examine-installation.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { call } from '../support/fake-model.ts';
import { OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

const ADMIN = { kind: 'operator', operatorId: 1 } as const;
const setTitle = call('set_x', { key: 'title', value: 'new title' });

describe('the doctor', () => {
  const open = useRuntime();
  const portsOf = (f: RuntimeFixture, changes: Partial<ExaminerPorts> = {}): ExaminerPorts => ({
    store: f.store,
    clock: f.clock,
    staleClaims: async () => [],
    hasWorker: () => true,
    chainProblems: () => verifyChain(f.statements, f.sealer).problems,
    freeMegabytes: () => 10_000,
    floorMegabytes: 200,
    ...changes,
  });
  const kindsOf = async (f: RuntimeFixture, changes: Partial<ExaminerPorts> = {}) =>
    (await examineInstallation(portsOf(f, changes))).map(({ kind, runId }) => `${kind} ${runId}`.trim());
  const nothingStale = async () => ({ requeued: 0, deadLettered: 0 });
  async function waiting(f: RuntimeFixture): Promise<string> {
    const { id } = await f.start();
    await f.segment();
    return id;
  }

  it('T-11 finds nothing while waiting rows, inbox and counts agree', async () => {
    const f = open([{ calls: [setTitle] }]);
    await waiting(f);
    await f.start();
    expect(await kindsOf(f)).toEqual([]);
  });

  it('T-11 says when the inbox and the counts disagree', async () => {
    const f = open([{ calls: [setTitle] }]);
    await waiting(f);
    const store = { ...f.store, waitingRuns: async () => [] };
    expect(await kindsOf(f, { store })).toContain('inbox_mismatch');
  });

  it('X-15 names each run that cannot be read, and repairs it for an administrator only, in the record', async () => {
    const f = open([{ calls: [setTitle] }, { calls: [setTitle] }]);
    const broken = await waiting(f);
    const whole = await waiting(f);
    f.database.prepare(`update pending_turns set sealed = zeroblob(64) where run_id = ?`).run(broken);
    const findings = await examineInstallation(portsOf(f));
    expect(findings).toMatchObject([{ kind: 'unreadable', runId: broken, facts: { part: 'turn' } }]);
    expect(await repairInstallation(portsOf(f), OUTSIDER, findings, nothingStale)).toBeNull();
    expect((await f.row(broken)).status).toBe('waiting_for_approval');
    expect(await repairInstallation(portsOf(f), ADMIN, findings, nothingStale)).toMatchObject({ settledUnreadable: 1 });
    expect(await f.row(broken)).toMatchObject({ status: 'failed', endReason: 'state_unreadable' });
    expect((await f.events(broken)).at(-1)).toMatchObject({ payload: { settledBy: 1 } });
    expect(f.database.prepare('select kind from installation_events').pluck().all()).toEqual(['repaired']);
    expect(await kindsOf(f)).toEqual([]);
    expect((await f.row(whole)).status).toBe('waiting_for_approval');
  });

  it('leaves a run alone that went on while it was looked at, and one that went on before it could be given up', async () => {
    const f = open([{ calls: [setTitle] }, { text: 'done' }, { calls: [setTitle] }, { calls: [setTitle] }]);
    const gone = await waiting(f);
    const listed = f.store.waitingRuns.bind(f.store);
    const slow = {
      ...f.store,
      waitingRuns: async (selection?: Parameters<typeof listed>[0]) => {
        const runs = await listed(selection);
        if (runs.length > 0) {
          await f.approve(gone);
          await f.segment();
        }
        return runs;
      },
    };
    expect((await examineInstallation(portsOf(f, { store: slow }))).map(({ kind }) => kind)).not.toContain(
      'unreadable',
    );
    const id = await waiting(f);
    const findings = [{ kind: 'unreadable' as const, runId: id, facts: { part: 'turn', sequence: 1 } }];
    expect(await repairInstallation(portsOf(f), ADMIN, findings, nothingStale)).toMatchObject({ settledUnreadable: 0 });
    expect((await f.row(id)).status).toBe('waiting_for_approval');
  });

  it('D-09 names a run that is due and that nobody takes, unless nobody is there or all is paused', async () => {
    const f = open([]);
    const { id } = await f.start();
    await f.clock.advance(300_001);
    expect(await kindsOf(f)).toEqual([`overdue ${id}`]);
    expect(await kindsOf(f, { hasWorker: () => false })).toEqual([]);
    await f.runtime.setPause(OWNER, true);
    expect(await kindsOf(f)).toEqual(['paused']);
  });

  it('names dead claims, a full disk and a broken record', async () => {
    const f = open([{ calls: [setTitle] }]);
    const id = await waiting(f);
    const claim = { runId: id, workerId: 'w', ownerToken: 't', leaseExpiresAtMs: 1 };
    expect(await kindsOf(f, { staleClaims: async () => [claim] })).toEqual([`stale_claim ${id}`]);
    expect(await kindsOf(f, { freeMegabytes: () => 200 })).toEqual(['low_disk']);
    expect(await kindsOf(f, { chainProblems: () => [{ where: 'change 3', problem: 'it was changed' }] })).toEqual([
      'chain',
    ]);
  });

  it('T-40 lists an uncertain write until somebody who may says what they found at its target', async () => {
    const f = open([{ calls: [call('make_x', { name: 'page' })] }]);
    const id = await waiting(f);
    await f.approve(id);
    await f.dieAt('after_fence_before_effect');
    const [write] = await f.store.uncertainWrites();
    expect(await kindsOf(f)).toEqual([`uncertain_write ${id}`]);
    const found = { callId: write?.callId ?? '', finding: 'not_written' } as const;
    expect(await f.runtime.resolveUncertainWrite(OUTSIDER, id, found)).toMatchObject({
      refusal: { kind: 'unknown_run' },
    });
    expect(await f.runtime.resolveUncertainWrite(OWNER, id, { ...found, callId: 'another' })).toMatchObject({
      refusal: { kind: 'no_uncertain_write' },
    });
    expect(await f.runtime.resolveUncertainWrite(OWNER, id, found)).toMatchObject({ ok: true });
    expect(await f.runtime.resolveUncertainWrite(OWNER, id, found)).toMatchObject({ ok: false });
    expect((await f.events(id)).at(-1)).toMatchObject({
      kind: 'uncertain_resolved',
      payload: { resolvedBy: 3, finding: 'not_written' },
    });
    expect(await kindsOf(f)).toEqual([]);
  });
});

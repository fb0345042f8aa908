import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src-main/domain/actor.ts';
import { call } from '../support/fake-model.ts';
import { ADMIN, COLLEAGUE, OUTSIDER, OWNER, type RuntimeFixture } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';
import { judgeReceipt } from '../../scripts/verify-receipt.mjs';
import { installationPublicKey } from '../../src-main/store/signed-heads.ts';

const setTitle = call('set_x', { key: 'title', value: 'new title' });
const READER: Actor = { kind: 'service', name: 'auditor', scopes: ['agent:read'] };
const DECIDER: Actor = { kind: 'service', name: 'bot', scopes: ['agent:approve'] };

describe('the receipt of a run', () => {
  const open = useRuntime();
  const waiting = async (settings = {}): Promise<{ f: RuntimeFixture; id: string }> => {
    const f = open([{ calls: [setTitle] }, { calls: [setTitle] }, { text: 'done' }], settings);
    const { id } = await f.start();
    await f.segment();
    return { f, id };
  };
  const whyNot = async (f: RuntimeFixture, id: string, number: number | null = null) => {
    const answer = await f.runtime.receipt(OWNER, id, number);
    return answer.ok ? 'there is one' : answer.refusal;
  };

  it('holds for whoever has the public key and nothing else', async () => {
    const { f, id } = await waiting();
    await f.approve(id, COLLEAGUE);
    await f.segment();
    const receipt = await f.runtime.receipt(OWNER, id, null);
    if (!receipt.ok) throw new Error(receipt.refusal.kind);
    expect(judgeReceipt(Buffer.from(receipt.value), installationPublicKey(f.statements) ?? '')).toMatch(
      `decision 1 of run ${id} (approved)`,
    );
    expect(JSON.parse(receipt.value)).toMatchObject({
      receipt: {
        calls: [{ arguments: { key: 'title', value: 'new title' } }],
        decision: { decider: { operatorId: 5, name: 'person 5' } },
        run: { initiator: { operatorId: 3 } },
      },
    });
  });

  it.each([
    ['its owner', OWNER, true],
    ['an administrator', ADMIN, true],
    ['a service that reads', READER, true],
    ['somebody who may approve', COLLEAGUE, false],
    ['a stranger', OUTSIDER, false],
    ['a service that decides', DECIDER, false],
    ['nobody', { kind: 'anonymous' } as const, false],
  ])('is for who may read the run: %s', async (_who, actor, mayRead) => {
    const { f, id } = await waiting();
    await f.approve(id);
    await f.segment();
    const answer = await f.runtime.receipt(actor, id, null);
    expect(answer.ok).toBe(mayRead);
    if (!answer.ok) expect(answer.refusal).toEqual({ kind: 'unknown_run' });
  });

  it('is the one of the newest decision, or of the one that is named', async () => {
    const { f, id } = await waiting();
    await f.approve(id);
    await f.segment();
    await f.deny(id);
    await f.segment();
    const numbers = await Promise.all(
      [null, 1, 2].map(async (number) => {
        const answer = await f.runtime.receipt(OWNER, id, number);
        return answer.ok ? (JSON.parse(answer.value) as { receipt: { decision: object } }).receipt.decision : null;
      }),
    );
    expect(numbers).toMatchObject([{ number: 2 }, { number: 1 }, { number: 2 }]);
  });

  it('says why there is none', async () => {
    const { f, id } = await waiting({ withdrawWindowMs: 3_000 });
    expect(await whyNot(f, id)).toEqual({ kind: 'no_receipt', decisionNumber: 0, why: 'undecided' });
    await f.approve(id);
    expect(await whyNot(f, id)).toEqual({ kind: 'no_receipt', decisionNumber: 1, why: 'not_taken_up' });
    expect(await whyNot(f, id, 2)).toEqual({ kind: 'no_receipt', decisionNumber: 2, why: 'no_such_decision' });
    await f.runtime.withdraw(OWNER, id);
    expect(await whyNot(f, id)).toEqual({ kind: 'no_receipt', decisionNumber: 1, why: 'never_taken_up' });
    await f.deny(id);
    expect(await whyNot(f, id)).toMatchObject({ why: 'not_taken_up' });
    await f.runtime.cancel(OWNER, id);
    expect(await whyNot(f, id)).toEqual({ kind: 'no_receipt', decisionNumber: 2, why: 'never_taken_up' });
  });

  it('says that it was there and is not any more', async () => {
    const { f, id } = await waiting();
    await f.approve(id);
    await f.segment();
    const sealed = f.database.prepare('select sealed from receipts').pluck().get();
    f.database.exec('drop trigger receipts_no_delete; delete from receipts');
    expect(await whyNot(f, id)).toEqual({ kind: 'no_receipt', decisionNumber: 1, why: 'damaged' });
    f.database.prepare('insert into receipts values (?, 1, zeroblob(90))').run(id);
    expect(await whyNot(f, id)).toMatchObject({ why: 'damaged' });
    f.database.exec('delete from receipts');
    f.database.prepare('insert into receipts values (?, 1, ?)').run(id, sealed);
    expect(await whyNot(f, id)).toBe('there is one');
  });

  it('shows the arguments that were released, and what the model had asked for', async () => {
    const { f, id } = await waiting();
    const card = await f.runtime.pendingDecision(OWNER, id);
    const callId = card?.calls?.[0]?.id ?? '';
    const turn = await f.store.pendingTurn(id);
    const previews = turn?.previews ?? [];
    const edits = { [callId]: { key: 'title', value: 'as a person wants it' } };
    const binding = { turnDigest: card?.turnDigest ?? '', previewRevision: card?.previewRevision ?? 0 };
    const input = { actor: OWNER, edits, previews, tools: f.ports.catalogue.list(), ...binding };
    const edited = await f.store.transition(id, { kind: 'edit_card', input, nowMs: f.clock.nowMs() });
    expect(edited.ok).toBe(true);
    await f.approve(id);
    await f.segment();
    const receipt = await f.runtime.receipt(OWNER, id, null);
    expect(receipt.ok && (JSON.parse(receipt.value) as object)).toMatchObject({
      receipt: {
        calls: [{ id: callId, arguments: { key: 'title', value: 'as a person wants it' } }],
        edits: { [callId]: { original: { key: 'title', value: 'new title' }, editedBy: [3] } },
      },
    });
  });
});

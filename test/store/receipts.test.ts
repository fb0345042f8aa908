import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, digest, fileFingerprint } from '../../src-main/domain/digest.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import { installationPublicKey } from '../../src-main/store/signed-heads.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { aCall, anAskingTurn, aTurn, TOOL_LIST, TOOLS } from '../support/run-builders.ts';
import { livesOf, runOf, snapshotOf } from '../support/store-life.ts';
import { OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

let tokens = 0;
/** Claims as a worker does: with its registry. */
const claim = async (nowMs = 20_000): Promise<RunRecord> => {
  tokens += 1;
  const ownerToken = `receipt-token-${tokens}`;
  return runOf(await fixture.store.claim({ workerId: 'w', ownerToken, nowMs, isIdle: true, tools: TOOL_LIST }));
};
const approve = async (run: RunRecord, changes: Parameters<typeof lives.decision>[1] = {}): Promise<RunRecord> =>
  runOf(await lives.go(run.id, 'decide_approval', lives.decision(run, changes)));
const fileOf = async (runId: string, number = 1): Promise<string> => (await fixture.store.receipt(runId, number)) ?? '';
const parsed = async (runId: string, number = 1) =>
  JSON.parse(await fileOf(runId, number)) as {
    key: string;
    receipt: { decision: object; tools: object[]; run: object; trigger: object };
    signature: string;
  };
const count = (): number => fixture.database.prepare('select count(*) from receipts').pluck().get() as number;
const attempts = async (runId: string) =>
  (await fixture.store.events(runId, -1)).filter(({ kind }) => kind === 'attempt').map(({ payload }) => payload);
const problems = () => verifyChain(fixture.statements, fixture.sealer).problems;

describe('the receipt of a decision', () => {
  it('is signed when a worker takes the run up, with the key of the installation, and named in the record', async () => {
    const decided = await approve(await lives.waiting());
    expect(count()).toBe(0);
    await claim();
    const { key, receipt, signature } = await parsed(decided.id);
    expect(key).toBe(installationPublicKey(fixture.statements));
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') };
    const signed = Buffer.from(`countersign receipt/1: ${canonicalJson(receipt)}`);
    expect(verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'hex'))).toBe(
      true,
    );
    expect(receipt).toMatchObject({
      format: 'countersign-receipt/1',
      keyFingerprint: digest('key/1:', key),
      signedAtMs: 20_000,
      run: { id: decided.id, initiator: { kind: 'operator', operatorId: 1, name: 'tester' } },
      turn: { digest: decided.turnDigest, previewRevision: 1 },
      calls: aTurn().calls,
      previews: aTurn().previews,
      tools: [{ name: 'set_x', digest: digest('tool/1:', TOOLS.set), definition: TOOLS.set }],
      decision: {
        number: 1,
        kind: 'approval',
        verdicts: { 'call-set_x': 'approved' },
        decidedAtMs: 10_000,
        decider: { kind: 'operator', operatorId: 1, name: 'tester' },
      },
      policy: { requireSecondApprover: false, trustZone: 'local', privacy: 'metadata', withdrawWindowMs: 0 },
    });
    expect((await attempts(decided.id)).at(-1)).toMatchObject({
      decisionNumber: 1,
      receipt: fileFingerprint(await fileOf(decided.id)),
    });
    expect(problems()).toEqual([]);
  });

  it('is there for a denial, with the words that came with it', async () => {
    const { id } = await approve(await lives.waiting(), {
      approved: false,
      denialReason: 'variant',
      note: 'Too long.',
    });
    await claim();
    expect((await parsed(id)).receipt.decision).toMatchObject({
      verdicts: { 'call-set_x': 'denied' },
      denialReason: 'variant',
      note: 'Too long.',
    });
  });

  it('has the questions, and of the answers nothing but a digest', async () => {
    const asking = await lives.suspend(await lives.claimed(), anAskingTurn());
    const answers = { 'call-ask_x': { town: 'Swordfishville', urgent: false } };
    const card = { turnDigest: asking.turnDigest, previewRevision: asking.previewRevision, tools: TOOL_LIST };
    runOf(await lives.go(asking.id, 'submit_input', { actor: OPERATOR, trigger: null, answers, ...card }));
    await claim();
    const { receipt } = await parsed(asking.id);
    expect(receipt).toMatchObject({ questions: anAskingTurn().questions });
    expect(receipt.decision).toMatchObject({ kind: 'input', answersDigest: digest('answers/1:', answers) });
    expect(await fileOf(asking.id)).not.toContain('Swordfishville');
  });

  it('is made once, however often its run is claimed', async () => {
    const { id } = await approve(await lives.waiting());
    const first = await claim();
    const file = await fileOf(id);
    runOf(await lives.go(id, 'reclaim', { ownerToken: first.ownerToken, cause: 'worker_died' }));
    const again = await claim(2_000_000);
    expect(again).toMatchObject({ id, decisionNumber: 1, attempt: 3 });
    expect(await fileOf(id)).toBe(file);
    expect(count()).toBe(1);
    expect((await attempts(id)).at(-1)).not.toHaveProperty('receipt');
  });

  it('is none for an approval that was taken back, nor for a run that was cancelled before a worker came', async () => {
    const taken = await approve(await lives.waiting(), { withdrawWindowMs: 5_000 });
    const waiting = runOf(await lives.go(taken.id, 'withdraw_approval', { actor: OPERATOR }, 11_000));
    await approve(waiting);
    await claim();
    expect(await fixture.store.receipt(taken.id, 1)).toBeNull();
    expect((await parsed(taken.id, 2)).receipt.decision).toMatchObject({ number: 2 });
    const cancelled = await approve(await lives.waiting());
    await lives.go(cancelled.id, 'cancel', { actor: OPERATOR });
    expect(await fixture.store.receipt(cancelled.id, 1)).toBeNull();
  });

  it('is none when turn and decision are not about each other, and the run is claimed all the same', async () => {
    const { id } = await approve(await lives.waiting());
    fixture.database.prepare('update pending_turns set sealed = zeroblob(80) where run_id = ?').run(id);
    expect(await claim()).toMatchObject({ id, status: 'running' });
    expect(count()).toBe(0);
    const [other, foreign] = [await approve(await lives.waiting()), await lives.waiting(aTurn([aCall('make_x')]))];
    const turn = await fixture.store.pendingTurn(foreign.id);
    const sealed = fixture.sealer.seal(`pending_turns.sealed/${other.id}/1`, turn);
    fixture.database.prepare('update pending_turns set sealed = ? where run_id = ?').run(sealed, other.id);
    expect(await claim()).toMatchObject({ id: other.id, status: 'running' });
    expect(count()).toBe(0);
  });

  it('shows a definition only while it is the one on the card', async () => {
    const { id } = await approve(await lives.waiting());
    const tools = [{ ...TOOLS.set, description: 'Another one by now.' }];
    runOf(await fixture.store.claim({ workerId: 'w', ownerToken: 'x', nowMs: 20_000, isIdle: true, tools }));
    expect((await parsed(id)).receipt.tools).toEqual([
      { name: 'set_x', digest: digest('tool/1:', TOOLS.set), definition: null },
    ]);
  });

  it('shows its content in no other column of the file', async () => {
    const argument = 'swordfish-in-the-arguments';
    const { id } = await approve(await lives.waiting(aTurn([aCall('set_x', { arguments: { note: argument } })])));
    await claim();
    expect(await fileOf(id)).toContain(argument);
    expect(JSON.stringify(snapshotOf(fixture.database))).not.toContain(argument);
    expect(fixture.database.serialize().includes(argument)).toBe(false);
  });

  it('says what the window said as its claim, and nowhere else', async () => {
    const trigger = { surface: 'window', claims: { via: 'keyboard' } } as const;
    const { id } = await approve(await lives.waiting(), { trigger });
    await claim();
    const { receipt } = await parsed(id);
    expect(receipt.trigger).toEqual({ surface: 'window', claimed: { via: 'keyboard' } });
    expect(JSON.stringify({ ...receipt, trigger: null })).not.toContain('keyboard');
  });
});

describe('a receipt in an edited file', () => {
  const edit = (sql: string): unknown => {
    for (const name of ['receipts_no_update', 'receipts_no_delete']) fixture.database.exec(`drop trigger ${name}`);
    return fixture.database.exec(sql);
  };
  let ids: string[];
  beforeEach(async () => {
    ids = [];
    for (let run = 0; run < 2; run += 1) {
      const { id } = await approve(await lives.waiting());
      await claim();
      ids.push(id);
    }
  });

  it.each([
    [
      'eight bytes changed',
      `update receipts set sealed = cast(substr(sealed, 1, 90) || x'0000000000000000' || substr(sealed, 99) as blob)`,
    ],
    ['the one of another run', 'update receipts set sealed = (select sealed from receipts order by rowid limit 1)'],
    ['another number', 'update receipts set decision_number = 7'],
    ['none', 'delete from receipts'],
  ])('is noticed by verify, and is not given out: %s', async (_what, sql) => {
    expect(problems()).toEqual([]);
    edit(sql);
    expect(problems().at(-1)).toEqual({
      where: expect.stringMatching(/^receipt 1 of run /) as string,
      problem: 'it is missing or was changed',
    });
    const found = await Promise.allSettled(ids.map((id) => fixture.store.receipt(id, 1)));
    const given = found.filter((one) => one.status === 'fulfilled' && one.value !== null);
    // The first of two rows that hold the same value is still what it was.
    expect(given.length).toBe(sql.includes('limit 1') ? 1 : 0);
  });

  it('is another one for the record even when somebody with the key seals one for the place', async () => {
    const [id = ''] = ids;
    const other = (await fileOf(id)).replace('"signedAtMs":20000', '"signedAtMs":20001');
    const sealed = fixture.sealer.seal(`receipts.sealed/${id}/1`, other);
    fixture.database.exec('drop trigger receipts_no_update');
    fixture.database.prepare('update receipts set sealed = ? where run_id = ?').run(sealed, id);
    expect(problems()).toHaveLength(1);
  });
});

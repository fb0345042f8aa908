import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareHeads, firstLine, headLines, headListProblems, readHeadList } from '../../src-main/store/kept-heads.ts';
import { headsAfter, installationPublicKey, type SignedHead } from '../../src-main/store/signed-heads.ts';
import { Statements } from '../../src-main/store/statements.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { createSigningKey, openSigner } from '../../src-main/system/signing-key.ts';
import { livesOf } from '../support/store-life.ts';
import { OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

const heads = (): SignedHead[] => [...headsAfter(fixture.statements, 0)];
const publicKey = (): string => installationPublicKey(fixture.statements) ?? '';
const problems = (): string[] =>
  verifyChain(fixture.statements, fixture.sealer).problems.map(({ where, problem }) => `${where}: ${problem}`);
const list = () => [firstLine(publicKey()), ...headLines(fixture.statements, 0)].join('\n');

/** A run that was approved and completed: one decision, one end. */
async function decidedAndEnded(): Promise<string> {
  const waiting = await lives.waiting();
  await lives.go(waiting.id, 'decide_approval', lives.decision(waiting));
  const run = await lives.claim(20_000);
  await lives.go(run.id, 'complete', { ...lives.held(run), reason: 'completed', answer: 'done' });
  return run.id;
}

/** What an auditor would write from README's description, without a line of the application. */
function isGenuine({ hash, signature, ...row }: SignedHead, key: string): boolean {
  const text = JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const digest = createHash('sha256').update(`head/1:${text}`).digest('hex');
  const signed = Buffer.from(`countersign signed-head/1: ${hash}`);
  const own = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') },
    format: 'jwk',
  });
  return digest === hash && verifySignature(null, signed, own, Buffer.from(signature, 'base64url'));
}

describe('the signed heads', () => {
  it('are one for each decision and each end, with run, sequence, hash and time of its event', async () => {
    const runId = await decidedAndEnded();
    const events = await fixture.store.events(runId, -1);
    const named = ['approval', 'finished'].map((kind) => events.find((event) => event.kind === kind));
    expect(heads()).toMatchObject(
      named.map((event) => ({ run_id: runId, sequence: event?.sequence, event_hash: event?.hash, at_ms: event?.atMs })),
    );
  });

  it.each(['approve', 'deny', 'cancel'] as const)('mark that somebody chose to %s', async (act) => {
    const waiting = await lives.waiting();
    if (act === 'cancel') await lives.go(waiting.id, 'cancel', { actor: OPERATOR });
    else await lives.go(waiting.id, 'decide_approval', lives.decision(waiting, { approved: act === 'approve' }));
    expect(heads()).toMatchObject([{ run_id: waiting.id, number: 1 }]);
  });

  it('mark nothing that a refusal left as it was', async () => {
    const waiting = await lives.waiting();
    const refused = await lives.go(waiting.id, 'decide_approval', lives.decision(waiting, { turnDigest: 'x' }));
    expect(refused.ok).toBe(false);
    expect(heads()).toEqual([]);
    expect(publicKey()).toBe('');
  });

  it('are one chain for the whole installation, each checked by itself with the public key alone', async () => {
    await decidedAndEnded();
    await decidedAndEnded();
    const all = heads();
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(all.map((head) => head.previous_hash)).toEqual([
      '0'.repeat(64),
      ...all.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(all.every((head) => isGenuine(head, publicKey()))).toBe(true);
    expect(all.some((head) => isGenuine(head, createSigningKey().publicKey))).toBe(false);
    expect(all.some((head) => isGenuine({ ...head, at_ms: head.at_ms + 1 }, publicKey()))).toBe(false);
  });

  it('are signed with a key whose private half is nowhere in the file as it is', async () => {
    await decidedAndEnded();
    const { sealed } = fixture.database.prepare('select sealed from signing_key').get() as { sealed: Buffer };
    const secret = fixture.sealer.open('signing_key.sealed/1', sealed) as string;
    expect(openSigner({ publicKey: publicKey(), privateKey: secret }).publicKey).toBe(publicKey());
    expect(fixture.database.serialize().includes(secret)).toBe(false);
  });

  it('cannot be changed or deleted by a mistake of our own', async () => {
    await decidedAndEnded();
    expect(() => fixture.database.exec('delete from heads')).toThrow('append-only');
    expect(() => fixture.database.exec('update heads set signature = 1')).toThrow('append-only');
  });
});

describe('verify', () => {
  const FORGED: [what: string, sql: string, problem: string][] = [
    ['a dropped last head', 'delete from heads where number = 4', 'chain head: its signature is not ours'],
    ['all heads dropped', 'delete from heads', 'chain head: its signature is not ours'],
    ['a dropped middle head', 'delete from heads where number = 2', 'head 3: head 2 is missing before it'],
    [
      'a signature of another head',
      'update heads set signature = (select signature from heads where number = 1) where number = 3',
      'head 3: its signature is not ours',
    ],
    [
      'a head of another change',
      'update heads set change_seq = 1 where number = 2',
      'head 2: it names a change before',
    ],
    ['a changed hash', `update heads set hash = 'x' where number = 2`, 'head 2: its content was changed'],
    [
      'another public key',
      `update signing_key set public_key = '${createSigningKey().publicKey}'`,
      'signing key: it is missing or was changed',
    ],
    ['no key', 'delete from signing_key', 'signing key: it is missing or was changed'],
  ];

  it.each(FORGED)('shows %s', async (_what, sql, problem) => {
    await decidedAndEnded();
    await decidedAndEnded();
    expect(problems()).toEqual([]);
    for (const name of ['heads_no_update', 'heads_no_delete']) fixture.database.exec(`drop trigger ${name}`);
    fixture.database.exec(sql);
    expect(problems().join('\n')).toContain(problem);
  });

  it('is refused the next write, too, when the last head was dropped', async () => {
    await decidedAndEnded();
    fixture.database.exec('drop trigger heads_no_delete; delete from heads where number = 2');
    await expect(lives.enqueue()).rejects.toThrow('Nothing more is written to it');
  });

  it('lets decisions stand that were made before there were heads', async () => {
    await decidedAndEnded();
    fixture.database.exec('drop trigger heads_no_delete; delete from heads; delete from signing_key');
    const { seq, hash } = fixture.database.prepare('select seq, hash from changes order by seq desc limit 1').get() as {
      seq: number;
      hash: string;
    };
    // As the release before signed its end.
    fixture.database.prepare('update chain_head set mac = ?').run(fixture.sealer.mac(`head/1:${seq}:${hash}`));
    expect(problems()).toEqual([]);
    await decidedAndEnded();
    expect(heads().map(({ number }) => number)).toEqual([1, 2]);
    expect(problems()).toEqual([]);
  });
});

describe('a list of heads that is kept elsewhere', () => {
  const read = (text: string) => {
    const kept = readHeadList(text);
    if (!kept) throw new Error('That is no list.');
    return kept;
  };

  it('holds against the file it was taken from, also later', async () => {
    await decidedAndEnded();
    const kept = read(list());
    await decidedAndEnded();
    expect(kept.heads).toHaveLength(2);
    expect(headListProblems(kept, publicKey())).toEqual([]);
    expect(compareHeads(fixture.statements, kept)).toEqual([]);
  });

  it('shows an older copy of the whole file, which verifies by itself', async () => {
    await decidedAndEnded();
    const older = fixture.database.serialize();
    await decidedAndEnded();
    const kept = read(list());
    const path = `${fixture.path}.older`;
    writeFileSync(path, older);
    const copy = openSqlite(path);
    expect(verifyChain(new Statements(copy), fixture.sealer).problems).toEqual([]);
    expect(compareHeads(new Statements(copy), kept)).toEqual([
      { where: 'kept head 3', problem: 'the file does not have it: it is older than the list' },
      { where: 'kept head 4', problem: 'the file does not have it: it is older than the list' },
    ]);
    copy.close();
  });

  it('shows by itself a line that was taken out or edited', async () => {
    await decidedAndEnded();
    await decidedAndEnded();
    const lines = list().split('\n');
    const shorter = read(lines.filter((_line, index) => index !== 2).join('\n'));
    expect(headListProblems(shorter, publicKey())).toEqual([
      { where: 'kept head 3', problem: 'it does not follow the head before it' },
    ]);
    const edited = read(list().replace(/"sequence":\d+/, '"sequence":99'));
    expect(headListProblems(edited, publicKey())).toEqual([
      { where: 'kept head 1', problem: 'its content was changed' },
    ]);
  });

  it.each(['', 'hello', '{}', '[1]', 'null'])('is not what starts with %j', (text) => {
    expect(readHeadList(text)).toBeNull();
  });

  it('is no list with a line that is no head', async () => {
    await decidedAndEnded();
    expect(readHeadList(`${list()}\n{"number":3`)).toBeNull();
  });
});

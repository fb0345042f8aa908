import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readApiKey, saveConfiguration } from '../../src-main/store/configuration-store.ts';
import { createSqliteRunStore } from '../../src-main/store/sqlite-run-store.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { systemClock } from '../../src-main/system/clock.ts';
import { SealBrokenError } from '../../src-main/domain/sealed-faults.ts';
import { createSealer } from '../../src-main/system/seal.ts';
import { aCall, aTurn } from '../support/run-builders.ts';
import { livesOf, snapshotOf } from '../support/store-life.ts';
import { enqueueInput, openStoreFixture, type StoreFixture } from '../support/store.ts';

const SECRET = 'swordfish-in-the-request';
const ARGUMENT = 'swordfish-in-the-arguments';
const ANSWER = 'swordfish-in-the-answer';
const KEY = 'swordfish-in-the-key';

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

const TURN = aTurn([aCall('set_x', { arguments: { note: ARGUMENT } })]);
/** What the model said with its calls, checkpointed by the step before the pause. */
const SPOKEN = { role: 'assistant' as const, content: 'I would change it.', toolCalls: TURN.calls };
const request = {
  v: 1 as const,
  messages: [{ role: 'user' as const, content: SECRET }],
  allowedToolNames: null,
  temperature: null,
  maxOutputTokens: null,
};
const blob = (sql: string, ...values: unknown[]) =>
  fixture.database
    .prepare(sql)
    .pluck()
    .get(...values) as Buffer;
const put = (sql: string, ...values: unknown[]) => fixture.database.prepare(sql).run(...values);

/** A run that waits, with every living part stored. */
async function waiting(sinceMs = 3_000) {
  const { id } = await lives.enqueue({ request });
  const run = await lives.claim();
  await lives.go(id, 'record_step', lives.step(run, { messages: [SPOKEN] }));
  return lives.suspend(run, TURN, sinceMs);
}

describe('sealed parts at rest', () => {
  it('R-190 leave no plain text in the database or its log', async () => {
    saveConfiguration(fixture.statements, fixture.sealer, fixture.configuration, KEY, 1);
    const run = await waiting();
    await lives.go(run.id, 'decide_approval', lives.decision(run));
    const resumed = await lives.claim(20_000);
    await lives.go(run.id, 'stamp_fence', {
      ...lives.held(resumed),
      callId: 'call-set_x',
      effect: 'non_idempotent_write',
    });
    await lives.go(run.id, 'fail', {
      ...lives.held(resumed),
      failureClass: 'unknown',
      reason: 'internal_error',
      errorClass: 'Error',
      sentence: ANSWER,
      uncertainWrite: null,
    });
    expect(await fixture.store.result(run.id)).toEqual({ v: 1, answer: '', failure: ANSWER });
    const files = readdirSync(fixture.folder).filter((name) => name.startsWith('countersign.db'));
    expect(files.toSorted()).toEqual(['countersign.db', 'countersign.db-shm', 'countersign.db-wal']);
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(fixture.folder, name))));
    expect(bytes.includes(run.id)).toBe(true);
    for (const secret of [SECRET, ARGUMENT, ANSWER, KEY, 'old title', 'I would change it']) {
      expect(bytes.includes(secret), secret).toBe(false);
    }
  });

  it('R-190 open to what was stored', async () => {
    const run = await waiting();
    expect(await fixture.store.request(run.id)).toEqual(request);
    expect(await fixture.store.pendingTurn(run.id)).toEqual(TURN);
    expect(await fixture.store.transcript(run.id)).toEqual([SPOKEN]);
    expect(await fixture.store.decision(run.id, 1)).toBeNull();
    expect(await fixture.store.result(run.id)).toBeNull();
  });

  it('R-191 differ each time for the same value', () => {
    const sealed = [1, 2, 3].map(() => fixture.sealer.seal('place', TURN).toString('hex'));
    expect(new Set(sealed).size).toBe(3);
    expect(new Set(sealed.map((text) => text.slice(0, 4)))).toEqual(new Set(['c101']));
  });

  it('H-057 are gone when the run has ended', async () => {
    const run = await waiting();
    await lives.go(run.id, 'cancel', { actor: { kind: 'operator', operatorId: 1 } });
    const left = snapshotOf(fixture.database);
    expect([left.run_requests, left.pending_turns, left.transcript_chunks]).toEqual([[], [], []]);
  });
});

describe('a sealed part that was tampered with', () => {
  it('H-055 does not open in another column, run or revision', async () => {
    const run = await waiting();
    const other = await waiting();
    const turn = blob('select sealed from pending_turns where run_id = ?', run.id);
    put('update run_requests set sealed = ? where run_id = ?', turn, run.id);
    await expect(fixture.store.request(run.id)).rejects.toThrow(SealBrokenError);
    put('update pending_turns set sealed = ? where run_id = ?', turn, other.id);
    await expect(fixture.store.pendingTurn(other.id)).rejects.toThrow(SealBrokenError);
    put('update runs set preview_revision = 2 where id = ?', run.id);
    await expect(fixture.store.pendingTurn(run.id)).rejects.toThrow(SealBrokenError);
  });

  it('H-055 does not open as another chunk of its transcript', async () => {
    await lives.enqueue();
    const run = await lives.claim();
    for (const content of ['first', 'second']) {
      await lives.go(run.id, 'record_step', lives.step(run, { messages: [{ role: 'assistant', content }] }));
    }
    fixture.database.exec('drop trigger transcript_chunks_no_update');
    put(
      'update transcript_chunks set sealed = (select sealed from transcript_chunks where number = 2) where number = 1',
    );
    await expect(fixture.store.transcript(run.id)).rejects.toThrow(SealBrokenError);
  });

  it.each([
    ['one byte flipped in the marker', (sealed: Buffer) => flipped(sealed, 0)],
    ['one byte flipped in the version', (sealed: Buffer) => flipped(sealed, 1)],
    ['one byte flipped in the wrapped key', (sealed: Buffer) => flipped(sealed, 20)],
    ['one byte flipped in the nonce', (sealed: Buffer) => flipped(sealed, 64)],
    ['one byte flipped in the value', (sealed: Buffer) => flipped(sealed, 80)],
    ['one byte flipped in the tag', (sealed: Buffer) => flipped(sealed, sealed.length - 1)],
    ['its end cut off', (sealed: Buffer) => sealed.subarray(0, sealed.length - 1)],
    ['only its key left', (sealed: Buffer) => sealed.subarray(0, 62)],
    ['a few bytes left', (sealed: Buffer) => sealed.subarray(0, 5)],
    ['nothing left', () => Buffer.alloc(0)],
    ['a byte more', (sealed: Buffer) => Buffer.concat([sealed, Buffer.from([0])])],
    ['plain text instead', () => Buffer.from('{"v":1}')],
    ['another key', (_sealed: Buffer) => createSealer(randomBytes(32)).seal('run_requests.sealed/x', request)],
  ])('H-056 does not open with %s', async (_name, change) => {
    const run = await waiting();
    const sealed = blob('select sealed from run_requests where run_id = ?', run.id);
    put('update run_requests set sealed = ? where run_id = ?', change(sealed), run.id);
    const failure = await fixture.store.request(run.id).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SealBrokenError);
    expect((failure as Error).message).not.toMatch(/swordfish|auth|cipher/i);
  });

  it('R-191 never opens, whichever bit is flipped', () => {
    const sealed = fixture.sealer.seal('place', 'text');
    for (let index = 0; index < sealed.length * 8; index += 7) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index >> 3) ^ (1 << (index & 7)), index >> 3);
      expect(() => fixture.sealer.open('place', changed)).toThrow(SealBrokenError);
    }
  });

  it('X-24 stores nothing instead of plain text when it cannot be sealed: no run, no pause', async () => {
    const { id } = await lives.enqueue();
    const run = await lives.claim();
    const keyless = {
      ...fixture.sealer,
      seal: () => {
        throw new Error('the key cannot be reached');
      },
    };
    const store = createSqliteRunStore(fixture.database, keyless, systemClock);
    const before = snapshotOf(fixture.database);
    const input = enqueueInput(fixture.configuration.id, { request });
    const suspend = { ...lives.held(run), turn: TURN, effects: {} };
    await expect(store.transition(input.id, { kind: 'enqueue', input, nowMs: 1 })).rejects.toThrow('cannot be reached');
    await expect(store.transition(id, { kind: 'suspend', input: suspend, nowMs: 1 })).rejects.toThrow(
      'cannot be reached',
    );
    expect(snapshotOf(fixture.database)).toEqual(before);
    expect(await fixture.store.run(id)).toMatchObject({ status: 'running' });
  });

  it('X-24 does not open with another data key, which is noticed at once', () => {
    const other = createSealer(randomBytes(32));
    expect(other.keyCheck()).not.toBe(fixture.sealer.keyCheck());
    expect(createSealer(fixture.dataKey).keyCheck()).toBe(fixture.sealer.keyCheck());
    expect(() => other.open('place', fixture.sealer.seal('place', 1))).toThrow(SealBrokenError);
  });

  it('H-055 is bound to its configuration when it is a key of a model', () => {
    saveConfiguration(fixture.statements, fixture.sealer, fixture.configuration, KEY, 1);
    const second = { ...fixture.configuration, id: 'second', identifier: 'second' };
    saveConfiguration(fixture.statements, fixture.sealer, second, null, 1);
    expect(readApiKey(fixture.statements, fixture.sealer, fixture.configuration)).toBe(KEY);
    expect(readApiKey(fixture.statements, fixture.sealer, second)).toBeNull();
    put(
      `update configurations set api_key_sealed = (select api_key_sealed from configurations where id = ?) where id = 'second'`,
      fixture.configuration.id,
    );
    expect(() => readApiKey(fixture.statements, fixture.sealer, second)).toThrow(SealBrokenError);
  });
});

describe('a run with unreadable state', () => {
  it('H-108 refuses the decision and keeps everything byte for byte', async () => {
    const run = await waiting();
    const sealed = blob('select sealed from pending_turns where run_id = ?', run.id);
    put('update pending_turns set sealed = ? where run_id = ?', flipped(sealed, 90), run.id);
    const before = snapshotOf(fixture.database);
    for (const approved of [true, false]) {
      const result = await lives.go(run.id, 'decide_approval', lives.decision(run, { approved }));
      expect(result).toEqual({ ok: false, refusal: { kind: 'state_unreadable' } });
    }
    expect(snapshotOf(fixture.database)).toEqual(before);
    put('update pending_turns set sealed = ? where run_id = ?', sealed, run.id);
    expect(await lives.go(run.id, 'decide_approval', lives.decision(run))).toMatchObject({ ok: true });
  });

  it('X-15 can still be listed and cancelled, and disturbs no other run', async () => {
    const broken = await waiting();
    put('update pending_turns set sealed = zeroblob(80) where run_id = ?', broken.id);
    put('update run_requests set sealed = zeroblob(80) where run_id = ?', broken.id);
    const other = await waiting(4_000);
    expect((await fixture.store.waitingRuns()).map((run) => run.id)).toEqual([broken.id, other.id]);
    expect(await lives.go(broken.id, 'cancel', { actor: { kind: 'operator', operatorId: 1 } })).toMatchObject({
      ok: true,
    });
    expect(await lives.go(other.id, 'decide_approval', lives.decision(other))).toMatchObject({ ok: true });
    expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
  });

  it('X-15 leaves an entry to look at when its worker died in a write', async () => {
    const waitingRun = await waiting();
    await lives.go(waitingRun.id, 'decide_approval', lives.decision(waitingRun));
    const run = await lives.claim(20_000);
    await lives.go(run.id, 'stamp_fence', { ...lives.held(run), callId: 'call-set_x', effect: 'non_idempotent_write' });
    put('update pending_turns set sealed = zeroblob(80) where run_id = ?', run.id);
    const ended = await lives.go(run.id, 'reclaim', { ownerToken: run.ownerToken, cause: 'worker_died' });
    expect(ended).toMatchObject({ ok: true, value: { status: 'failed', endReason: 'not_retryable' } });
    expect(await fixture.store.uncertainWrites()).toMatchObject([
      { runId: run.id, callId: 'call-set_x', toolName: 'set_x', target: null },
    ]);
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', '[]'],
  ])('R-193 has nobody as its actor when that column holds %s, and lists stay whole', async (_name, text) => {
    const broken = await waiting();
    const other = await waiting(4_000);
    put('update runs set actor = ? where id = ?', text, broken.id);
    const listed = await fixture.store.waitingRuns();
    expect(listed.map((run) => run.id)).toEqual([broken.id, other.id]);
    expect(listed[0]?.actor).toEqual({ kind: 'anonymous' });
  });

  it.each([
    `update operators set grants = 'agent_approve'`,
    'update operators set is_admin = 0',
    `update operators set os_account = 'uid:2'`,
    'update operators set id = 2',
  ])('R-193 knows nobody whose row was edited without the key: %s', async (edit) => {
    put(edit);
    expect(await fixture.store.operator(1)).toBeNull();
    expect(await fixture.store.operator(2)).toBeNull();
    expect(verifyChain(fixture.statements, fixture.sealer).problems).toHaveLength(1);
  });

  it.each([
    `update configurations set settings = replace(settings, '"requireSecondApprover":false', '"requireSecondApprover":true')`,
    'update configurations set is_active = 0',
    `update configurations set identifier = 'other'`,
  ])('H-055 uses no configuration that was edited without the key: %s', async (edit) => {
    put(edit);
    expect(await fixture.store.configuration(fixture.configuration.id)).toBeNull();
    expect(await fixture.store.configurations()).toEqual([]);
    expect(verifyChain(fixture.statements, fixture.sealer).problems).toHaveLength(1);
  });

  it('H-055 is bound to its address when it is a key of a model: edited in the file, the key does not go there', () => {
    const at = (baseUrl: string) => ({
      ...fixture.configuration,
      settings: {
        ...fixture.configuration.settings,
        model: { kind: 'openai_compatible' as const, baseUrl, modelId: 'small' },
      },
    });
    const ours = at('http://127.0.0.1:1/v1');
    saveConfiguration(fixture.statements, fixture.sealer, ours, KEY, 1);
    saveConfiguration(fixture.statements, fixture.sealer, ours, undefined, 2);
    expect(readApiKey(fixture.statements, fixture.sealer, ours)).toBe(KEY);
    expect(() => readApiKey(fixture.statements, fixture.sealer, at('http://127.0.0.1:2/v1'))).toThrow(SealBrokenError);
    // Moved by a person: the key stays behind and has to be given again.
    saveConfiguration(fixture.statements, fixture.sealer, at('http://127.0.0.1:2/v1'), undefined, 3);
    expect(readApiKey(fixture.statements, fixture.sealer, at('http://127.0.0.1:2/v1'))).toBeNull();
  });
});

function flipped(sealed: Buffer, index: number): Buffer {
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
  return changed;
}

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashChange, type ChangeRow } from '../../src-main/store/change-log.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { openSqlite } from '../../src-main/system/open-sqlite.ts';
import { livesOf } from '../support/store-life.ts';
import { enqueueInput, OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

/** Somebody edits the file without the key while nothing runs; then the product is started and goes on. */
describe('a record that was forged', () => {
  let fixture: StoreFixture;
  let lives: ReturnType<typeof livesOf>;
  beforeEach(() => {
    fixture = openStoreFixture();
    lives = livesOf(fixture);
  });
  afterEach(() => fixture.dispose());

  const enqueue = () => {
    const input = enqueueInput(fixture.configuration.id);
    return fixture.store.transition(input.id, { kind: 'enqueue', input, nowMs: 9_000 });
  };
  const problems = () => verifyChain(fixture.statements, fixture.sealer).problems;

  it('is not signed by the next commit: nothing is written to it any more, and verify goes on saying so', async () => {
    await lives.enqueue();
    fixture.database.exec('drop trigger changes_no_update');
    const { hash: _old, ...last } = fixture.database
      .prepare('select * from changes order by seq desc limit 1')
      .get() as ChangeRow & { hash: string };
    const forged = { ...last, at_ms: last.at_ms + 1 };
    fixture.database
      .prepare('update changes set at_ms = ?, hash = ? where seq = ?')
      .run(forged.at_ms, hashChange(forged), forged.seq);
    expect(problems()).toHaveLength(1);
    await expect(enqueue()).rejects.toThrow('changed outside');
    await expect(lives.claim()).rejects.toThrow('changed outside');
    expect(problems()).toHaveLength(1);
    expect(fixture.database.prepare('select count(*) from runs').pluck().get()).toBe(1);
  });

  it.each([
    ['another status', `status = 'waiting_for_approval'`],
    ['another end of its events', `last_sequence = last_sequence + 1`],
    ['another hash', `last_hash = 'x'`],
  ])('takes no run whose row was given %s outside, and goes on with the next', async (_what, edit) => {
    const edited = await lives.enqueue({}, 1_000);
    const sound = await lives.enqueue({}, 1_500);
    // Another connection: this one refuses what the table of transitions does not know.
    const outside = openSqlite(fixture.path);
    outside.prepare(`update runs set ${edit} where id = ?`).run(edited.id);
    outside.close();
    expect((await lives.claim(5_000)).id).toBe(sound.id);
    expect(await fixture.store.claim({ workerId: 'w', ownerToken: 't', nowMs: 9_000, isIdle: true })).toEqual({
      ok: true,
      value: null,
    });
  });

  it('T-22 never carries out a finished run that was put back into the queue', async () => {
    const run = await lives.enqueue();
    const held = await lives.claim();
    await lives.go(run.id, 'complete', { ...lives.held(held), reason: 'completed', answer: 'Done.' });
    // Somebody else's connection has no guard of ours.
    fixture.database.exec('drop trigger run_moves');
    fixture.database.exec(
      "update runs set status = 'queued', finished_at_ms = 0, segment = 'resume', decision_number = 1",
    );
    const claim = { workerId: 'w', ownerToken: 't', nowMs: 20_000, isIdle: true };
    expect(await fixture.store.claim(claim)).toEqual({ ok: true, value: null });
    const cancel = fixture.store.transition(run.id, { kind: 'cancel', input: { actor: OPERATOR }, nowMs: 20_000 });
    await expect(cancel).rejects.toThrow('not as it was left');
    expect(problems()).toHaveLength(1);
    // Other runs are not held up by it.
    const other = await enqueue();
    expect(await fixture.store.claim(claim)).toMatchObject({ value: { id: other.ok && other.value.id } });
  });

  it('leaves nothing of a used-up turn in the file to put back', async () => {
    const run = await lives.waiting();
    const sealed = fixture.database.prepare('select sealed from pending_turns').pluck().get() as Buffer;
    await lives.go(run.id, 'cancel', { actor: OPERATOR });
    fixture.database.pragma('wal_checkpoint(truncate)');
    expect(readFileSync(fixture.path).includes(sealed.subarray(0, 64))).toBe(false);
  });
});

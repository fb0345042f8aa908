import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { purgeLimits } from '../../src-main/domain/retention-rules.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import { purgeRuns } from '../../src-main/runtime/purge-runs.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { expireWaitingRuns } from '../../src-main/workers/reaper.ts';
import { livesOf, snapshotOf } from '../support/store-life.ts';
import { enqueueInput, OPERATOR, openStoreFixture, type StoreFixture } from '../support/store.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 100 * DAY_MS;
const OLD_MS = NOW_MS - 31 * DAY_MS;
const NONE = { all: null, ended: null, uncertain: null };

let fixture: StoreFixture;
let lives: ReturnType<typeof livesOf>;
beforeEach(() => {
  fixture = openStoreFixture();
  lives = livesOf(fixture);
});
afterEach(() => fixture.dispose());

const problems = (): string[] =>
  verifyChain(fixture.statements, fixture.sealer).problems.map(({ where, problem }) => `${where}: ${problem}`);
const clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, pause: () => Promise.resolve(), random: () => 0.5 };
const report = (error: unknown): never => {
  throw error;
};
const limits = purgeLimits(null, NONE, NOW_MS);
const purge = (most: number | null = null, actor: { kind: 'operator'; operatorId: number } = OPERATOR) =>
  purgeRuns({ store: fixture.store, clock }, { actor, limits, most });
const idsOf = (table: string): unknown[] =>
  fixture.database
    .prepare(`select distinct ${table === 'runs' ? 'id' : 'run_id'} from ${table}`)
    .pluck()
    .all();

/** A run with a decision, a transcript and a result that ended at a moment. */
async function ended(atMs: number): Promise<string> {
  const input = await lives.enqueue({}, atMs - 4);
  const waiting = await lives.suspend(await lives.claim(atMs - 3), undefined, atMs - 2);
  await lives.go(waiting.id, 'decide_approval', lives.decision(waiting), atMs - 1);
  const run = await lives.claim(atMs);
  await lives.go(run.id, 'complete', { ...lives.held(run), reason: 'completed', answer: 'done' }, atMs);
  return input.id;
}

it('takes no run under the id of one that was purged: the record could not tell them apart', async () => {
  const id = await ended(OLD_MS);
  expect(await purge()).toMatchObject({ ok: true });
  const input = { ...enqueueInput(fixture.configuration.id), id };
  const again = await fixture.store.transition(id, { kind: 'enqueue', input, nowMs: NOW_MS });
  expect(again).toMatchObject({ ok: false, refusal: { kind: 'already_started' } });
  expect(problems()).toEqual([]);
});

/** How long turns wait for a person from now on; null = for ever. */
const limitDecisions = (decisionLimitMs: number | null) =>
  fixture.store.saveConfiguration(
    { ...fixture.configuration, settings: { ...fixture.configuration.settings, decisionLimitMs } },
    undefined,
    NOW_MS,
  );

/** Many ended runs at once, each cancelled in the queue. */
async function cancelled(count: number, atMs: number): Promise<void> {
  const runs = await Promise.all(Array.from({ length: count }, () => lives.enqueue({}, atMs)));
  await Promise.all(runs.map((run) => lives.go(run.id, 'cancel', { actor: OPERATOR }, atMs)));
}

describe('a purge', () => {
  it('H-359 takes all of an old run away, leaves the fresh, and the record holds', async () => {
    const old = await ended(OLD_MS);
    const fresh = await ended(NOW_MS - DAY_MS);
    expect(await purge()).toMatchObject({ ok: true, value: { runs: 1, events: 6 } });
    for (const table of ['runs', 'run_events', 'decisions', 'receipts', 'results'])
      expect(idsOf(table), table).toEqual([fresh]);
    expect(idsOf('changes')).toContain(old);
    expect(fixture.database.prepare('select count(*) from purging').pluck().get()).toBe(0);
    expect(problems()).toEqual([]);
  });

  it('leaves a mark with number and hash of the last event, and who had it done', async () => {
    const old = await ended(OLD_MS);
    const last = (await fixture.store.events(old, -1)).at(-1);
    await purge();
    const marks = fixture.database
      .prepare(`select run_id, status, last_sequence, last_hash, at_ms from changes where kind = 'purged' order by seq`)
      .all();
    expect(marks[0]).toEqual({
      run_id: old,
      status: 'completed',
      last_sequence: last?.sequence,
      last_hash: last?.hash,
      at_ms: NOW_MS,
    });
    const { payload } = fixture.database
      .prepare(`select payload from installation_events where kind = 'purged'`)
      .get() as { payload: string };
    expect(JSON.parse(payload)).toMatchObject({ operatorId: 1, runs: 1, events: 6 });
  });

  it('R-214 takes 501 old runs away in more than one transaction and leaves the fresh ones', async () => {
    await cancelled(501, OLD_MS);
    await cancelled(3, NOW_MS);
    expect(await purge()).toMatchObject({ ok: true, value: { runs: 501 } });
    expect(idsOf('runs')).toHaveLength(3);
    const chunks = fixture.database.prepare(`select count(*) from installation_events where kind = 'purged'`).pluck();
    expect(chunks.get()).toBe(21);
    expect(problems()).toEqual([]);
  });

  it('takes no more than it was asked to, the longest ended first', async () => {
    await cancelled(5, OLD_MS - DAY_MS);
    await cancelled(5, OLD_MS);
    expect(await purge(7)).toMatchObject({ ok: true, value: { runs: 7 } });
    expect(fixture.database.prepare('select distinct finished_at_ms from runs').pluck().all()).toEqual([OLD_MS]);
  });

  it('changes nothing for somebody who is no administrator', async () => {
    await ended(OLD_MS);
    const before = snapshotOf(fixture.database);
    expect(await purge(null, { kind: 'operator', operatorId: 9 })).toEqual({
      ok: false,
      refusal: { kind: 'not_administrator' },
    });
    expect(snapshotOf(fixture.database)).toEqual(before);
  });

  it('says before what it would take, and takes that', async () => {
    await ended(OLD_MS);
    await ended(NOW_MS);
    const before = snapshotOf(fixture.database);
    const preview = await fixture.store.previewPurge(limits, null, NOW_MS);
    expect(preview).toMatchObject({ runs: 1, events: 6, oldestMs: OLD_MS, newestMs: OLD_MS, expiring: 0 });
    expect(preview.bytes).toBeGreaterThan(500);
    expect(snapshotOf(fixture.database)).toEqual(before);
    expect(await purge()).toMatchObject({ value: { runs: preview.runs, events: preview.events } });
    expect(await fixture.store.previewPurge(limits, null, NOW_MS)).toMatchObject({ runs: 0, oldestMs: 0, bytes: 0 });
  });

  it('X-19 and H-360 leaves a running run with a live lease, one that is queued and one that waits, however old they are', async () => {
    await lives.enqueue({}, OLD_MS);
    const running = await lives.claim(OLD_MS);
    const waiting = await lives.suspend(running, undefined, OLD_MS);
    await lives.enqueue({}, OLD_MS);
    const held: RunRecord = await lives.claim(OLD_MS);
    const queued = await lives.enqueue({}, OLD_MS);
    expect(await purge()).toMatchObject({ value: { runs: 0 } });
    expect(new Set(idsOf('runs'))).toEqual(new Set([waiting.id, held.id, queued.id]));
  });

  it('H-360 counts the age of what waits from its pause: made 91 days ago and shown today, it is kept', async () => {
    await lives.enqueue({}, NOW_MS - 91 * DAY_MS);
    const waiting = await lives.suspend(await lives.claim(NOW_MS - 91 * DAY_MS), undefined, NOW_MS - 1);
    expect(await expireWaitingRuns({ store: fixture.store, clock, report })).toBe(0);
    expect(await purge()).toMatchObject({ value: { runs: 0 } });
    expect(await fixture.store.run(waiting.id)).toMatchObject({ status: 'waiting_for_approval' });
  });

  it('X-19 and H-359 ends a waiting run past its limit as cancelled and expired, with an event, and never deletes it', async () => {
    const atMs = NOW_MS - 91 * DAY_MS;
    await limitDecisions(null);
    expect(await fixture.store.previewPurge(limits, null, NOW_MS)).toMatchObject({ expiring: 0 });
    await limitDecisions(90 * DAY_MS);
    await lives.enqueue({}, atMs);
    const waiting = await lives.suspend(await lives.claim(atMs), undefined, atMs);
    expect(await fixture.store.previewPurge(limits, null, NOW_MS)).toMatchObject({ runs: 0, expiring: 1 });
    expect(await expireWaitingRuns({ store: fixture.store, clock, report })).toBe(1);
    expect(await purge()).toMatchObject({ value: { runs: 0 } });
    expect(await fixture.store.run(waiting.id)).toMatchObject({ status: 'cancelled', endReason: 'expired' });
    expect((await fixture.store.events(waiting.id, -1)).at(-1)).toMatchObject({
      kind: 'finished',
      payload: { reason: 'expired' },
    });
  });

  it('leaves a run whose write is in doubt, until it was settled longer ago than its own window', async () => {
    const old = await ended(OLD_MS);
    fixture.database
      .prepare(
        `insert into uncertain_writes (run_id, call_id, tool_name, effect, target, cause, noticed_at_ms, resolved_at_ms, resolution, sealed)
         values (?, 'c', 't', 'non_idempotent_write', '', 'interrupted', ?, 0, '', x'00')`,
      )
      .run(old, OLD_MS);
    expect(await purge()).toMatchObject({ value: { runs: 0 } });
    const settle = (atMs: number) =>
      fixture.database.prepare(`update uncertain_writes set resolved_at_ms = ?, resolution = 'written'`).run(atMs);
    settle(NOW_MS - DAY_MS);
    expect(await purge()).toMatchObject({ value: { runs: 0 } });
    settle(OLD_MS);
    expect(await purge()).toMatchObject({ value: { runs: 1 } });
    expect(idsOf('uncertain_writes')).toEqual([]);
  });

  it('takes nothing away from a run that is not as the record left it', async () => {
    const old = await ended(OLD_MS);
    fixture.database.prepare(`update runs set last_hash = 'x' where id = ?`).run(old);
    await expect(purge()).rejects.toThrow('is not as it was left');
    expect(idsOf('run_events')).toEqual([old]);
  });
});

describe('the triggers', () => {
  it('stop every other delete of events and decisions, also while another run is purged', async () => {
    const old = await ended(OLD_MS);
    for (const table of ['run_events', 'decisions'])
      expect(() => fixture.database.exec(`delete from ${table}`)).toThrow('append-only');
    fixture.database.exec('begin');
    fixture.database.prepare(`insert into purging (run_id) values ('another')`).run();
    expect(() => fixture.database.prepare('delete from run_events where run_id = ?').run(old)).toThrow('append-only');
    fixture.database.exec('rollback');
    expect(() => fixture.database.exec(`delete from changes`)).toThrow('append-only');
  });
});

describe('verify after a purge', () => {
  const FORGED: [what: string, sql: string[], problem: RegExp][] = [
    [
      'a run that was deleted with a mark made without the key',
      [
        'drop trigger run_events_no_delete',
        'drop trigger decisions_no_delete',
        'delete from run_events where run_id = :fresh',
        'delete from decisions where run_id = :fresh',
        'delete from results where run_id = :fresh',
        'delete from runs where id = :fresh',
        `insert into changes select (select max(seq) + 1 from changes), run_id, 'purged', status, last_sequence, last_hash, at_ms,
           (select hash from changes order by seq desc limit 1), 'x' from changes where run_id = :fresh order by seq desc limit 1`,
      ],
      /chain head: it ends at change \d+, the stored log ends at/,
    ],
    [
      'a change that was turned into a mark',
      ['drop trigger changes_no_update', `update changes set kind = 'purged' where run_id = :fresh and kind = 'ended'`],
      /its content was changed/,
    ],
    [
      'a mark that was turned into something else',
      ['drop trigger changes_no_update', `update changes set kind = 'ended' where kind = 'purged' and run_id <> ''`],
      /its content was changed/,
    ],
    [
      'a run that was deleted without a mark',
      [
        'drop trigger run_events_no_delete',
        'drop trigger decisions_no_delete',
        'delete from run_events where run_id = :fresh',
        'delete from decisions where run_id = :fresh',
        'delete from results where run_id = :fresh',
        'delete from runs where id = :fresh',
      ],
      /run .*: its row is missing/,
    ],
    [
      'a purged run whose events are there again',
      [
        `insert into run_events select :old, sequence, kind, round, attempt, at_ms, duration_ms, payload, previous_hash, hash
           from run_events where run_id = :fresh`,
      ],
      /it was purged and has events again/,
    ],
  ];

  it.each(FORGED)('shows %s', async (_what, statements, problem) => {
    const old = await ended(OLD_MS);
    const fresh = await ended(NOW_MS);
    await purge();
    expect(problems()).toEqual([]);
    fixture.database.pragma('foreign_keys = off');
    for (const sql of statements) {
      const values = { ...(sql.includes(':fresh') ? { fresh } : {}), ...(sql.includes(':old') ? { old } : {}) };
      fixture.database.prepare(sql).run(values);
    }
    expect(problems().join('\n')).toMatch(problem);
  });

  it('holds for runs that are purged one after the other, and for all that comes after', async () => {
    await cancelled(3, OLD_MS);
    await purge(1);
    await ended(NOW_MS);
    await purge();
    await lives.waiting();
    expect(problems()).toEqual([]);
  });
});

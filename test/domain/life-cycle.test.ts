import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isTerminal, isWaiting, type RunRecord } from '../../src-main/domain/run.ts';
import { rowFor, TRANSITION_TABLE } from '../../src-main/domain/transition-table.ts';
import { TRANSITIONS } from '../../src-main/domain/transitions.ts';
import { loadRun } from '../../src-main/store/apply-change.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import { anyCommand, type Command } from '../support/life-cycle-commands.ts';
import { LifeCycle, type Played } from '../support/life-cycle-model.ts';
import { snapshotOf } from '../support/store-life.ts';
import { openStoreFixture, type StoreFixture } from '../support/store.ts';

type Runs = Map<string, RunRecord>;

/** How often each transition was accepted and refused: a model that never gets anywhere proves nothing. */
const seen = new Map<string, number>();
const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

const runsOf = (fixture: StoreFixture): Runs => {
  const ids = fixture.database.prepare('select id from runs order by id').pluck().all() as string[];
  return new Map(ids.map((id) => [id, loadRun(fixture.statements, id) as RunRecord]));
};
const idsIn = (fixture: StoreFixture, sql: string): string[] => fixture.database.prepare(sql).pluck().all() as string[];

/** I2, I6: who holds a row, and what only a held row carries. */
function proveRow(run: RunRecord): void {
  const isHeld = run.status === 'running';
  expect([run.ownerToken !== '', run.workerId !== '', run.leaseExpiresAtMs > 0, run.phase !== '']).toEqual(
    Array(4).fill(isHeld),
  );
  if (!isHeld) expect([run.fenceEffect, run.fenceCallId]).toEqual(['', '']);
  expect(run.fenceEffect !== '').toBe(run.fenceCallId !== '');
  expect(run.waitingSinceMs > 0).toBe(isWaiting(run.status));
  expect(run.finishedAtMs > 0).toBe(isTerminal(run.status));
  if (run.status !== 'queued') expect(run.hold).toBe('');
  if (run.hold === 'offline') expect(run.offlineSinceMs).toBeGreaterThan(0);
  expect(run.requeueCount).toBeLessThanOrEqual(3);
  if (isTerminal(run.status)) {
    expect([run.decisionNumber, run.turnDigest, run.recoverCallId]).toEqual([0, '', '']);
    expect(run.endReason).not.toBe('');
  }
}

/** The parts beside the rows: a turn for every waiting or decided run and for no other, one event per decision. */
async function proveParts(fixture: StoreFixture, runs: Runs): Promise<void> {
  const all = [...runs.values()];
  const waiting = all.filter((run) => isWaiting(run.status)).map((run) => run.id);
  const undone = all.filter((run) => run.decisionNumber > 0).map((run) => run.id);
  expect(idsIn(fixture, 'select run_id from pending_turns order by run_id')).toEqual(
    [...waiting, ...undone].toSorted(),
  );
  expect((await fixture.store.waitingRuns()).map((run) => run.id).toSorted()).toEqual(waiting);
  expect(idsIn(fixture, 'select run_id from run_requests order by run_id')).toEqual(
    all.filter((run) => !isTerminal(run.status)).map((run) => run.id),
  );
  for (const run of all) {
    const events = await fixture.store.events(run.id, -1);
    expect(events.map((event) => event.sequence)).toEqual(
      Array.from({ length: run.lastSequence + 1 }, (_, index) => index),
    );
    expect(events.filter((event) => event.kind === 'approval' || event.kind === 'input')).toHaveLength(
      run.lastDecisionNumber,
    );
    expect(events.filter((event) => event.kind === 'attempt')).toHaveLength(run.attempt);
    if (undone.includes(run.id)) expect(await fixture.store.decision(run.id, run.decisionNumber)).not.toBeNull();
  }
}

const DECISIONS: Played['asked'][] = ['decide_approval', 'submit_input'];

/** What one accepted transition may do to its run, given the row before. */
function proveMove(before: RunRecord | undefined, after: RunRecord, { asked }: Played): void {
  if (!before) return;
  expect(after.previewRevision - before.previewRevision).toBe(
    ['suspend', 'bounce', 'withdraw_approval'].includes(asked) ? 1 : 0,
  );
  expect(after.attempt - before.attempt).toBe(asked === 'claim' ? 1 : 0);
  expect(after.lastDecisionNumber - before.lastDecisionNumber).toBe(DECISIONS.includes(asked) ? 1 : 0);
  expect(after.rounds).toBeGreaterThanOrEqual(before.rounds);
  if (isTerminal(before.status)) {
    expect(['record_step', 'record_orphan_write', 'resolve_uncertain']).toContain(asked);
    const { rounds, inputTokens, outputTokens, costMicros, lastSequence } = after;
    expect(after).toEqual({ ...before, rounds, inputTokens, outputTokens, costMicros, lastSequence });
  }
  if (asked === 'decide_approval') expect(before.status).toBe('waiting_for_approval');
  if (asked === 'submit_input') expect(before.status).toBe('waiting_for_input');
  if (asked === 'withdraw_approval') expect([before.status, after.status]).toEqual(['queued', 'waiting_for_approval']);
}

/** A decision counts only with the card of this very moment. */
function proveDecision(before: RunRecord, command: Extract<Command, { kind: 'decide' | 'submit' }>): void {
  expect(['current', 'earlier']).toContain(command.card);
  expect([1, 3, 5]).toContain(command.person);
  expect(before.status).toBe(command.kind === 'submit' ? 'waiting_for_input' : 'waiting_for_approval');
  if (command.kind === 'submit') expect(command.isComplete).toBe(true);
}

/** Whoever ends a run with a write in doubt leaves an entry for a person. */
function proveDoubt(fixture: StoreFixture, before: RunRecord | undefined, after: RunRecord, { asked }: Played): void {
  const callId = before?.fenceCallId || before?.recoverCallId;
  if (
    !callId ||
    !['fail', 'reclaim', 'cancel', 'cancel_if_waiting', 'expire', 'settle_unreadable'].includes(asked) ||
    !isTerminal(after.status)
  )
    return;
  count('write in doubt');
  const entries = idsIn(
    fixture,
    `select call_id from uncertain_writes where run_id = '${after.id}' and resolved_at_ms = 0`,
  );
  expect(entries).toContain(callId);
}

/** Each move is a row of the table, and counts how often that row was taken. */
function proveListed(before: RunRecord | undefined, after: RunRecord, { asked }: Played): void {
  const row = rowFor(asked, before?.status ?? 'new', after.status);
  expect(row).not.toBeNull();
  if (row && row !== 'step') count(`row ${row.id}`);
}

const OF_INSTALLATION: Command['kind'][] = ['pause', 'switch', 'end_offline'];

/** What is about all runs moves none of them: at most it changes when a queued one is due, and why it is held. */
function proveInstallation(fixture: StoreFixture, before: Runs): void {
  const after = runsOf(fixture);
  for (const [id, run] of before) {
    const { hold, nextAttemptAtMs } = after.get(id) as RunRecord;
    expect(after.get(id)).toEqual(run.status === 'queued' ? { ...run, hold, nextAttemptAtMs } : run);
  }
  expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
}

async function playAndProve(life: LifeCycle, command: Command): Promise<void> {
  const { fixture } = life;
  const before = runsOf(fixture);
  const bytes = snapshotOf(fixture.database);
  const played = await life.play(command);
  if (OF_INSTALLATION.includes(command.kind)) return proveInstallation(fixture, before);
  const moved = played?.result.ok === true && played.result.value !== null;
  if (played) count(`${played.asked} ${moved ? 'accepted' : played.result.ok ? 'empty' : played.result.refusal.kind}`);
  if (!moved || !played) {
    expect(snapshotOf(fixture.database)).toEqual(bytes);
    return;
  }
  const runs = runsOf(fixture);
  const after = runs.get(played.runId) as RunRecord;
  expect(played.result).toEqual({ ok: true, value: after });
  proveMove(before.get(played.runId), after, played);
  proveDoubt(fixture, before.get(played.runId), after, played);
  proveListed(before.get(played.runId), after, played);
  if (played.asked === 'claim') expect([life.isPaused, life.isActive]).toEqual([false, true]);
  if (played.asked === 'stamp_fence') expect(life.isPaused).toBe(false);
  if (command.kind === 'decide' || command.kind === 'submit')
    proveDecision(before.get(played.runId) as RunRecord, command);
  for (const [id, run] of before) if (id !== played.runId) expect(runs.get(id)).toEqual(run);
  for (const run of runs.values()) proveRow(run);
  await proveParts(fixture, runs);
  expect(verifyChain(fixture.statements, fixture.sealer).problems).toEqual([]);
}

describe('the life of runs', () => {
  afterAll(() => {
    const figures = [...seen.entries()].map(([what, times]) => `${what} ${times}`).toSorted();
    console.log(`life cycle: ${figures.join(', ')}`);
  });

  it('T-08 keeps its invariants after any commands, late and wrong ones included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 40, maxLength: 90, size: 'max' }), async (commands) => {
        const fixture = openStoreFixture();
        try {
          const life = new LifeCycle(fixture);
          await life.play({ kind: 'enqueue', interactive: false });
          for (const command of commands) await playAndProve(life, command);
        } finally {
          fixture.dispose();
        }
      }),
      { numRuns: 120, seed: 20261130, endOnFailure: false },
    );
  }, 60_000);

  it('T-22 has been through every transition and every way to refuse one', () => {
    const missing = ['claim', ...Object.keys(TRANSITIONS)].filter((kind) => !seen.has(`${kind} accepted`));
    expect(missing).toEqual([]);
    const refusals = [
      'lease_lost',
      'run_cancelled',
      'not_awaiting_approval',
      'not_awaiting_input',
      'invalid_input',
      'already_decided',
      'stale_turn',
      'stale_preview',
      'unknown_run',
      'already_ended',
      'withdraw_window_over',
      'paused',
      'not_delayed',
      'not_waiting',
      'not_administrator',
      'no_uncertain_write',
      'configuration_inactive',
    ];
    const answers = [...seen.keys()];
    expect(refusals.filter((refusal) => !answers.some((answer) => answer.endsWith(refusal)))).toEqual([]);
    expect(TRANSITION_TABLE.filter(({ id }) => !seen.has(`row ${id}`)).map(({ id }) => id)).toEqual([]);
    expect(seen.get('write in doubt')).toBeGreaterThan(10);
  });
});

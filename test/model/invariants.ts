import assert from 'node:assert/strict';
import { RUN_STATUSES } from '../../src-shared/vocabulary.ts';
import { isApproval, type RunEvent, type RunRecord } from '../../src-main/domain/run.ts';
import { verifyChain } from '../../src-main/store/verify-chain.ts';
import type { Life } from './life.ts';
import { isOver, isOwnerAway, isWaitingRun, shownHold, type ModelRun } from './model-state.ts';

/*
 * What must be true after every command, whatever it was: what anybody can see is what the model says, and the parts of a
 * run agree with its row.
 */

/** I2, I6: who holds a row, and what only a held row carries. */
function proveRow(run: RunRecord): void {
  const isHeld = run.status === 'running';
  const marks = [run.ownerToken !== '', run.workerId !== '', run.leaseExpiresAtMs > 0, run.phase !== ''];
  assert.deepEqual(marks, Array(4).fill(isHeld), `a running row of ${run.id} is held, any other is not`);
  if (!isHeld) assert.equal(run.fenceEffect + run.fenceCallId, '', `nothing of ${run.id} is in flight`);
  assert.equal(run.fenceEffect !== '', run.fenceCallId !== '');
  const mayBeHeld = run.status === 'queued' || (run.hold === 'restored' && run.finishedAtMs === 0);
  assert.ok(run.hold === '' || mayBeHeld, `${run.id} is held back though it is ${run.status}`);
  assert.ok(run.hold !== 'offline' || run.offlineSinceMs > 0);
  assert.ok(run.requeueCount <= 3);
  const isEnded = ['completed', 'failed', 'cancelled'].includes(run.status);
  assert.deepEqual([run.finishedAtMs > 0, run.endReason !== ''], [isEnded, isEnded], `the end of ${run.id}`);
  if (isEnded) assert.deepEqual([run.pendingTool, run.turnDigest, run.recoverCallId], ['', '', '']);
}

/** The parts a run has beside its row: no more and no fewer than its state needs. */
async function proveParts({ world: { store } }: Life, run: RunRecord, known: ModelRun): Promise<void> {
  const { id } = run;
  const hasEnded = isOver(known);
  assert.equal((await store.request(id)) !== null, !hasEnded, `the request of ${id}`);
  assert.equal((await store.result(id)) !== null, hasEnded && run.endReason !== 'cancelled', `the result of ${id}`);
  if (hasEnded) assert.deepEqual(await store.transcript(id), []);
  if (known.turn?.isDamaged) await assert.rejects(store.pendingTurn(id), /cannot be opened/);
  else {
    const turn = await store.pendingTurn(id);
    assert.equal(
      turn && JSON.stringify([turn.calls, turn.questions]),
      known.turn && known.turn.text,
      `the turn of ${id}`,
    );
  }
  const decision = run.decisionNumber > 0 ? await store.decision(id, run.decisionNumber) : null;
  const isApproved = decision !== null && isApproval(decision);
  const kind = decision && (decision.kind === 'input' ? 'answer' : isApproved ? 'approval' : 'denial');
  assert.deepEqual(decision && { by: decision.decidedBy, kind }, known.decision, `the decision of ${id}`);
}

/** The record of a run: without a gap, each event on the one before, and as many of each kind as the row counts. */
function proveEvents(run: RunRecord, events: RunEvent[]): void {
  const count = (...kinds: RunEvent['kind'][]): number => events.filter(({ kind }) => kinds.includes(kind)).length;
  for (const [index, event] of events.entries()) {
    assert.equal(event.sequence, index, `the events of ${run.id}`);
    if (index > 0) assert.equal(event.previousHash, events[index - 1]?.hash, `the chain of ${run.id}`);
  }
  assert.equal(run.lastSequence, events.length - 1);
  assert.equal(count('attempt'), run.attempt, `${run.id} says each claim once`);
  assert.equal(count('suspended'), run.previewRevision, `${run.id} says each card once`);
  assert.equal(count('approval', 'input'), run.lastDecisionNumber, `${run.id} says each decision once`);
  assert.equal(count('finished', 'cancelled'), run.finishedAtMs > 0 ? 1 : 0, `${run.id} says its end once`);
}

const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id).toSorted();
const withStatus = (runs: ModelRun[], ...statuses: string[]): string[] =>
  idsOf(runs.filter(({ row }) => statuses.includes(row.status)));

/** What a person sees of all runs: those that wait are exactly the ones that are shown, none more and none fewer. */
async function proveInbox({ world: { store }, model }: Life, runs: ModelRun[]): Promise<void> {
  assert.deepEqual(idsOf(await store.waitingRuns()), idsOf(runs.filter(isWaitingRun)), 'the runs that wait');
  const counts = Object.fromEntries(RUN_STATUSES.map((status) => [status, withStatus(runs, status).length]));
  assert.deepEqual(await store.countByStatus(), counts, 'the counters');
  assert.equal((await store.pause()).isPaused, model.pause.isPaused, 'the pause');
  const doubts = (await store.uncertainWrites()).map(({ runId, callId, effect, cause }) => {
    return { runId, callId, effect, cause };
  });
  assert.deepEqual(sorted(doubts), sorted(model.doubts), 'the uncertain writes');
  const copied = idsOf(runs.filter(({ isCopied }) => isCopied));
  assert.deepEqual((await store.restoredRuns()).toSorted(), copied, 'the runs of a copy');
}

/** When a worker has to look again. */
async function proveNextDue({ world: { store }, model }: Life, runs: ModelRun[]): Promise<void> {
  const dueAt = runs
    .filter(({ row, isCopied }) => row.status === 'queued' && !isCopied)
    .filter((run) => model.configurations.get(run.configuration)?.isActive && !isOwnerAway(model, run))
    .map(({ row }) => Math.max(row.nextAttemptAtMs, row.notBeforeAtMs));
  const nextMs = model.pause.isPaused || dueAt.length === 0 ? null : Math.min(...dueAt);
  assert.equal(await store.nextDueAtMs(), nextMs, 'when the next run is due');
}

const sorted = (entries: object[]): string[] => entries.map((entry) => JSON.stringify(entry)).toSorted();

/** Watches one life from command to command. */
export class Watch {
  readonly #life: Life;
  #rows = new Map<string, RunRecord>();
  #version: number;

  constructor(life: Life) {
    this.#life = life;
    this.#version = life.world.version();
  }

  /** To be asked after each command. */
  async prove(): Promise<void> {
    const { world, model, moved, hasWritten, hasReopened } = this.#life;
    const version = world.version();
    // Not a row, not a byte: another process sees no commit after a command that was refused.
    assert.equal(version !== this.#version, hasWritten, 'a commit is seen exactly when something was accepted');
    this.#version = version;
    // What no commit has touched is as it was; only a store that was opened again has to show that it reads the same.
    if (!hasWritten && !hasReopened) return;
    const rows = new Map<string, RunRecord>();
    for (const known of model.runs.values()) {
      const row = await world.store.run(known.id);
      assert.ok(row, `${known.id} is there`);
      rows.set(known.id, row);
      this.#life.compareRow(row);
      assert.equal(row.hold, shownHold(model, known), `what holds ${known.id}`);
      proveRow(row);
      const before = this.#rows.get(known.id);
      if (hasReopened) assert.deepEqual(row, before, `${known.id} after the store was opened again`);
      if (!moved.has(known.id)) {
        // What is about all runs may change columns that the model foretells, and no other.
        if (before)
          assert.deepEqual({ ...row, ...known.row }, { ...before, ...known.row }, `${known.id}, not asked about`);
        continue;
      }
      if (before) proveMove(before, row);
      await proveParts(this.#life, row, known);
      proveEvents(row, await world.store.events(known.id, -1));
    }
    this.#rows = rows;
    await proveInbox(this.#life, this.#life.runs());
    await proveNextDue(this.#life, this.#life.runs());
  }

  /** To be asked at the end: the lists of runs, and every hash of the file. */
  async proveEnd(): Promise<void> {
    const { store, statements, sealer } = this.#life.world;
    const runs = this.#life.runs();
    const everything = { ownerId: null, limit: 1_000 };
    assert.deepEqual(idsOf(await store.activeRuns(everything)), withStatus(runs, 'queued', 'running'), 'active runs');
    assert.deepEqual(idsOf(await store.endedRuns(everything)), idsOf(runs.filter(isOver)), 'ended runs');
    assert.deepEqual(verifyChain(statements, sealer).problems, [], 'the record');
  }
}

/** I1: an end is an end; only what happened before it is still written down. */
function proveMove(before: RunRecord, after: RunRecord): void {
  assert.ok(after.attempt >= before.attempt && after.previewRevision >= before.previewRevision);
  assert.ok(after.lastDecisionNumber >= before.lastDecisionNumber && after.rounds >= before.rounds);
  if (before.finishedAtMs === 0) return;
  const { rounds, inputTokens, outputTokens, costMicros, unpricedAnswers, lastSequence } = after;
  const late = { rounds, inputTokens, outputTokens, costMicros, unpricedAnswers, lastSequence };
  assert.deepEqual(after, { ...before, ...late }, 'an ended run');
}

import type { Database } from 'better-sqlite3';
import type { Result } from '../../src-shared/refusals.ts';
import type { PendingTurn, RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import { turnBinding } from '../../src-main/domain/turn-rules.ts';
import { aTurn, EFFECTS, TOOL_LIST } from './run-builders.ts';
import { enqueueInput, OPERATOR, type StoreFixture } from './store.ts';

/** The run of an accepted transition; a refusal is a fault that names it. */
export function runOf(result: Result<RunRecord | null>): RunRecord {
  if (!result.ok) throw new Error(`Refused with ${JSON.stringify(result.refusal)}.`);
  if (!result.value) throw new Error('There was no run.');
  return result.value;
}

/** Moves runs through their life with plain inputs; time is what `at` says. */
export function livesOf(fixture: StoreFixture) {
  const { store } = fixture;
  let tokens = 0;
  const go = <K extends TransitionKind>(runId: string, kind: K, input: TransitionInputs[K], nowMs = 10_000) =>
    store.transition(runId, { kind, input, nowMs });
  const held = (run: RunRecord) => ({ ownerToken: run.ownerToken, attempt: run.attempt });
  return {
    go,
    held,
    async enqueue(changes: Parameters<typeof enqueueInput>[1] = {}, nowMs = 1_000) {
      const input = enqueueInput(fixture.configuration.id, changes);
      return runOf(await go(input.id, 'enqueue', input, nowMs));
    },
    async claim(nowMs = 2_000, isIdle = true) {
      tokens += 1;
      return runOf(await store.claim({ workerId: 'worker-1', ownerToken: `token-${tokens}`, nowMs, isIdle }));
    },
    /** A run that has just begun. */
    async claimed() {
      await this.enqueue();
      return this.claim();
    },
    suspend: async (run: RunRecord, turn: PendingTurn = aTurn(), nowMs = 3_000) =>
      runOf(await go(run.id, 'suspend', { ...held(run), turn, effects: EFFECTS }, nowMs)),
    /** A decision with what the card of this run delivered. */
    decision: (run: RunRecord, changes: Partial<TransitionInputs['decide_approval']> = {}) => ({
      actor: OPERATOR,
      approved: true,
      turnDigest: run.turnDigest,
      previewRevision: run.previewRevision,
      denialReason: null,
      note: '',
      confirmsBlind: false,
      trigger: null,
      withdrawWindowMs: null,
      tools: TOOL_LIST,
      ...changes,
    }),
    step: (run: RunRecord, changes: Partial<TransitionInputs['record_step']> = {}) => ({
      ...held(run),
      events: [{ kind: 'llm' as const, round: 1, durationMs: 1.234, payload: { tokens: 3 } }],
      messages: [],
      usage: null,
      rounds: 0 as const,
      phase: 'model' as const,
      fencedCallId: '',
      isEffectDone: false,
      endsTurn: false,
      ...changes,
    }),
    /** A run that waits for a decision about one turn. */
    async waiting(turn: PendingTurn = aTurn()) {
      const run = await this.suspend(await this.claimed(), turn);
      if (run.turnDigest !== turnBinding(turn)) throw new Error('The row names another turn.');
      return run;
    },
  };
}

const TABLES = [
  'runs',
  'run_requests',
  'pending_turns',
  'transcript_chunks',
  'decisions',
  'receipts',
  'results',
  'uncertain_writes',
  'run_events',
  'installation_events',
  'changes',
  'chain_head',
  'heads',
] as const;

/** Every byte of a run's tables as text, to prove that nothing moved. */
export function snapshotOf(database: Database): Record<string, string[]> {
  return Object.fromEntries(
    TABLES.map((table) => [
      table,
      (database.prepare(`select * from ${table}`).raw().all() as unknown[][]).map((row) =>
        row.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value))).join('|'),
      ),
    ]),
  );
}

import assert from 'node:assert/strict';
import type { Result } from '../../src-shared/refusals.ts';
import type { RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import type { TransitionRequest } from '../../src-main/store/run-store.ts';
import type { Hits } from './hits.ts';
import { FORETOLD, isWaitingRun, saidOf, type ForetoldRow, type ModelRun, type ModelWorld } from './model-state.ts';
import { playOnModel } from './reference.ts';
import { claimable, takeClaim } from './reference-worker.ts';
import { newModelWorld, type World } from './world.ts';

/** A claim somebody was given, and may still believe to hold. */
export interface Claim {
  runId: string;
  ownerToken: string;
  attempt: number;
}

/** A card somebody was shown. */
export interface Card {
  runId: string;
  turnDigest: string;
  previewRevision: number;
}

type Status = ModelRun['row']['status'] | 'new';

/** The store has been asked; the function compares its answer with the model's, in the order of the asking. */
export type Asked = Promise<() => void>;

/**
 * One sequence: the real store, the model beside it, and what people and workers out there remember. Each thing
 * asked of the store is asked of the model, and the two answers must be the same.
 */
export class Life {
  readonly world: World;
  readonly model: ModelWorld = newModelWorld();
  readonly claims: Claim[] = [];
  readonly cards: Card[] = [];
  /** What was asked and answered so far, for whoever reads a failure. */
  readonly log: string[] = [];
  nowMs = 1_000_000_000;
  /** Runs the current command moved. */
  readonly moved = new Set<string>();
  /** Whether the current command committed anything. */
  hasWritten = false;
  /** Whether the store was closed and opened. */
  hasReopened = false;
  readonly #hits: Hits;
  #tokens = 0;

  constructor(world: World, hits: Hits) {
    this.world = world;
    this.#hits = hits;
  }

  /** Another command begins, a millisecond later. */
  begin(command: string): void {
    this.log.push(command);
    this.nowMs += 1;
    this.moved.clear();
    this.hasWritten = false;
    this.hasReopened = false;
  }

  /** Several are asked in one turn of the event loop, so they share a commit; the first asked is the first served. */
  async atOnce(...asked: Asked[]): Promise<void> {
    for (const compare of await Promise.all(asked)) compare();
  }

  ask<K extends TransitionKind>(runId: string, kind: K, input: TransitionInputs[K]): Promise<void> {
    return this.atOnce(this.beginAsk(runId, kind, input));
  }

  async beginAsk<K extends TransitionKind>(runId: string, kind: K, input: TransitionInputs[K]): Asked {
    const result = await this.world.store.transition(runId, this.request(kind, input));
    return () => this.#compare(runId, kind, input, result);
  }

  request<K extends TransitionKind>(kind: K, input: TransitionInputs[K]): TransitionRequest<K> {
    return { kind, input, nowMs: this.nowMs };
  }

  /** The second counts only when the first was accepted; its answer is the answer of both. */
  async askPair<K extends TransitionKind, L extends TransitionKind>(
    runId: string,
    first: TransitionRequest<K>,
    second: TransitionRequest<L>,
  ): Promise<void> {
    const result = await this.world.store.transitionPair(runId, first, second);
    const before = this.#statusOf(runId);
    const no = playOnModel(this.model, runId, first.kind, first.input, this.nowMs);
    if (no) {
      this.note(first.kind, runId, no);
      return assert.equal(answerOf(result), no, `${first.kind} of ${runId} as the first of two`);
    }
    this.#accepted(first.kind, runId, before);
    this.#compare(runId, second.kind, second.input, result);
  }

  async beginClaim(isIdle: boolean): Asked {
    const ownerToken = `token-${(this.#tokens += 1)}`;
    const result = await this.world.store.claim({ workerId: 'worker', ownerToken, nowMs: this.nowMs, isIdle });
    return () => this.#compareClaim(result, ownerToken, isIdle);
  }

  /** Counts an answer and keeps it for the log. */
  note(transition: string, about: string, outcome: string): void {
    this.#hits.count(transition, outcome);
    this.tell(`${transition} ${about}: ${outcome}`);
  }

  tell(what: string): void {
    this.log.push(`    at ${this.nowMs}: ${what}`);
  }

  runs(): ModelRun[] {
    return [...this.model.runs.values()];
  }

  #statusOf(runId: string): Status {
    return this.model.runs.get(runId)?.row.status ?? 'new';
  }

  #compare<K extends TransitionKind>(
    runId: string,
    kind: K,
    input: TransitionInputs[K],
    result: Result<RunRecord>,
  ): void {
    const before = this.#statusOf(runId);
    const no = playOnModel(this.model, runId, kind, input, this.nowMs);
    const answer = answerOf(result);
    if (no || !result.ok) {
      this.note(kind, runId, answer);
      return assert.equal(answer, no ?? 'accepted', `the answer to ${kind} of ${runId}`);
    }
    this.#accepted(kind, runId, before);
    this.#remember(result.value);
    this.compareRow(result.value);
  }

  #accepted(kind: TransitionKind, runId: string, before: Status): void {
    const after = this.#statusOf(runId);
    const stays = kind === 'record_step' && after === 'cancelled' ? 'recorded late' : 'recorded';
    this.note(kind, runId, before === after ? stays : `to ${after}`);
    if (after !== 'new') this.#hits.countMove(kind, before, after);
    this.moved.add(runId);
    this.hasWritten = true;
  }

  #compareClaim(result: Result<RunRecord | null>, ownerToken: string, isIdle: boolean): void {
    const candidates = claimable(this.model, isIdle, this.nowMs);
    assert.ok(result.ok, 'a claim is never refused');
    const { value: row } = result;
    if (!row) {
      this.note('claim', '-', 'nothing');
      return assert.deepEqual(candidates, [], 'a run that is due is claimed');
    }
    this.#hits.countMove('claim', 'queued', 'running');
    this.note('claim', row.id, 'to running');
    assert.ok(candidates.includes(row.id), `${row.id} is claimed, but only one of [${candidates.join(', ')}] may be`);
    takeClaim(this.model.runs.get(row.id) as ModelRun, ownerToken, this.nowMs);
    this.claims.push({ runId: row.id, ownerToken, attempt: row.attempt });
    this.moved.add(row.id);
    this.hasWritten = true;
    this.compareRow(row);
  }

  /** A card is shown. The same turn has the same digest wherever it is shown, another turn another. */
  #remember({ id, turnDigest, previewRevision }: RunRecord): void {
    const run = this.model.runs.get(id);
    if (!run || !isWaitingRun(run)) return;
    this.cards.push({ runId: id, turnDigest, previewRevision });
    const { text } = run.turn ?? { text: '' };
    const { turnOfDigest } = this.model;
    assert.equal(turnOfDigest.get(turnDigest) ?? text, text, 'two turns share a digest');
    turnOfDigest.set(turnDigest, text);
    const digests = [...turnOfDigest].filter(([, known]) => known === text);
    assert.equal(digests.length, 1, 'one turn has two digests');
  }

  compareRow(row: RunRecord): void {
    const known = this.model.runs.get(row.id);
    const foretold = known && saidOf(known);
    const seen = Object.fromEntries(FORETOLD.map((column) => [column, row[column]])) as unknown as ForetoldRow;
    // What is only said of a run and stands nowhere in its row is compared where it is read.
    if (seen.hold === 'configuration_inactive' || seen.hold === 'initiator_unavailable') seen.hold = '';
    assert.deepEqual(seen, foretold, `the row of ${row.id}`);
  }
}

const answerOf = (result: Result<unknown>): string => (result.ok ? 'accepted' : result.refusal.kind);

import type { Result } from '../../src-shared/refusals.ts';
import type { ToolEffect } from '../../src-shared/vocabulary.ts';
import { isWaiting, type RunRecord } from '../../src-main/domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../../src-main/domain/transitions.ts';
import type { CardChoice, ClaimPick, Command, PersonKind } from './life-cycle-commands.ts';
import { PERSONS } from './life-cycle-commands.ts';
import { aCall, anAskingTurn, aTurn, EFFECTS, TOOL_LIST } from './run-builders.ts';
import { saveOperator } from '../../src-main/store/operator-store.ts';
import { enqueueInput, type StoreFixture } from './store.ts';

interface Claim {
  runId: string;
  ownerToken: string;
  attempt: number;
}
interface Card {
  runId: string;
  turnDigest: string;
  previewRevision: number;
}

/** What a command came to: the transition it asked for, on which run, and the store's answer. */
export interface Played {
  asked: TransitionKind | 'claim';
  runId: string;
  result: Result<RunRecord | null>;
}

/**
 * Plays commands against a store and remembers what people and workers out there
 * remember: every token ever handed out and every card ever shown.
 */
export class LifeCycle {
  readonly fixture: StoreFixture;
  readonly runIds: string[] = [];
  readonly claims: Claim[] = [];
  readonly cards: Card[] = [];
  nowMs = 1_000;
  /** What people were told last. */
  isPaused = false;
  isActive = true;

  constructor(fixture: StoreFixture) {
    this.fixture = fixture;
    for (const id of PERSONS.filter((person) => person !== 1)) {
      saveOperator(
        fixture.statements,
        fixture.sealer,
        {
          id,
          name: `person ${id}`,
          osAccount: `account ${id}`,
          isAdmin: id === 7,
          isEnabled: id !== 7,
          grants: id === 5 ? ['agent_approve'] : [],
        },
        1,
      );
    }
  }

  /** Null when there is nothing the command could be about. */
  async play(command: Command): Promise<Played | null> {
    this.nowMs += 1;
    switch (command.kind) {
      case 'wait':
        this.nowMs += command.ms;
        return null;
      case 'enqueue':
        return this.#enqueue(command.interactive);
      case 'claim':
        return this.#claim(command.isIdle);
      case 'pause':
        return this.#pause(command.person, command.isPaused);
      case 'switch':
        return this.#switch(command.isActive);
      case 'end_offline':
        await this.fixture.store.endOffline(null, this.nowMs);
        return null;
      case 'expire': {
        const runId = await this.#pickRun(command, () => this.fixture.store.waitingRuns());
        return runId ? this.#ask(runId, 'expire', {}) : null;
      }
      case 'decide':
        return this.#decide(command);
      case 'submit':
        return this.#submit(command);
      case 'withdraw':
      case 'cancel':
      case 'cancel_if_waiting':
      case 'retry':
      case 'settle_unreadable':
      case 'resolve_uncertain':
        return this.#playPerson(command);
      default:
        return this.#playWorker(command);
    }
  }

  async #ask<K extends TransitionKind>(runId: string, kind: K, input: TransitionInputs[K]): Promise<Played> {
    const result = await this.fixture.store.transition(runId, { kind, input, nowMs: this.nowMs });
    if (result.ok && isWaiting(result.value.status)) {
      const { previewRevision, turnDigest: digest } = result.value;
      this.cards.push({ runId, previewRevision, turnDigest: digest });
    }
    return { asked: kind, runId, result };
  }

  async #enqueue(interactive: boolean): Promise<Played | null> {
    if (this.runIds.length >= 4) return null;
    const id = `run-${this.runIds.length}`;
    this.runIds.push(id);
    const input = enqueueInput(this.fixture.configuration.id, {
      id,
      actor: { kind: 'operator', operatorId: 3 },
      mode: interactive ? 'interactive' : 'queued',
    });
    return this.#ask(id, 'enqueue', input);
  }

  async #claim(isIdle: boolean): Promise<Played> {
    const ownerToken = `token-${this.claims.length}`;
    const result = await this.fixture.store.claim({ workerId: 'worker', ownerToken, nowMs: this.nowMs, isIdle });
    const run = result.ok ? result.value : null;
    if (run) this.claims.push({ runId: run.id, ownerToken, attempt: run.attempt });
    return { asked: 'claim', runId: run?.id ?? '', result };
  }

  async #pause(person: number, isPaused: boolean): Promise<null> {
    const input = { actor: { kind: 'operator', operatorId: person } as const, isPaused };
    const result = await this.fixture.store.setPause(input, this.nowMs);
    if (result.ok) this.isPaused = result.value.isPaused;
    return null;
  }

  /** Switches the configuration on or off, as an administrator would. */
  async #switch(isActive: boolean): Promise<null> {
    this.isActive = isActive;
    await this.fixture.store.saveConfiguration({ ...this.fixture.configuration, isActive }, undefined, this.nowMs);
    return null;
  }

  async #pickRun(
    { run, isAimed }: { run: number; isAimed: boolean },
    aim: () => Promise<Pick<RunRecord, 'id'>[]>,
  ): Promise<string | undefined> {
    const candidates = isAimed ? (await aim()).map(({ id }) => id) : this.runIds;
    return candidates[run % Math.max(candidates.length, 1)];
  }

  async #decide(command: Extract<Command, { kind: 'decide' }>): Promise<Played | null> {
    const runId = await this.#pickRun(command, () => this.fixture.store.waitingRuns());
    if (!runId) return null;
    return this.#ask(runId, 'decide_approval', {
      actor: { kind: 'operator', operatorId: command.person },
      approved: command.approved,
      ...this.#binding(runId, command.card),
      denialReason: null,
      withdrawWindowMs: command.windowMs,
      tools: TOOL_LIST,
    });
  }

  async #submit(command: Extract<Command, { kind: 'submit' }>): Promise<Played | null> {
    const runId = await this.#pickRun(command, () => this.fixture.store.waitingRuns());
    if (!runId) return null;
    return this.#ask(runId, 'submit_input', {
      actor: { kind: 'operator', operatorId: command.person },
      ...this.#binding(runId, command.card),
      answers: { [ASKING_CALL.id]: command.isComplete ? { town: 'Leipzig', urgent: false } : { urgent: true } },
      tools: TOOL_LIST,
    });
  }

  /** What a card that was shown says about itself. */
  #binding(runId: string, choice: CardChoice): { turnDigest: string | null; previewRevision: number } {
    const shown = this.cards.filter((card) => card.runId === runId);
    const card = choice === 'earlier' ? shown[0] : shown.at(-1);
    return {
      turnDigest: choice === 'wrong_digest' ? 'f'.repeat(64) : choice === 'none' ? null : (card?.turnDigest ?? ''),
      previewRevision: (card?.previewRevision ?? 0) + (choice === 'wrong_revision' ? 1 : 0),
    };
  }

  async #playPerson(command: Extract<Command, { kind: PersonKind }>): Promise<Played | null> {
    const runId = await this.#pickRun(command, () => this.#aim(command.kind));
    if (!runId) return null;
    const actor = { kind: 'operator', operatorId: command.person } as const;
    switch (command.kind) {
      case 'withdraw':
        return this.#ask(runId, 'withdraw_approval', { actor });
      case 'resolve_uncertain': {
        const open = (await this.fixture.store.uncertainWrites()).find((write) => write.runId === runId);
        return this.#ask(runId, 'resolve_uncertain', { actor, callId: open?.callId ?? 'none', finding: 'written' });
      }
      default:
        return this.#ask(runId, command.kind, { actor });
    }
  }

  /** Runs on which the command can work. */
  async #aim(kind: PersonKind): Promise<Pick<RunRecord, 'id'>[]> {
    const { store } = this.fixture;
    const active = await store.activeRuns();
    const waiting = await store.waitingRuns();
    const queued = active.filter((run) => run.status === 'queued');
    switch (kind) {
      case 'withdraw':
        return queued.filter((run) => run.decisionNumber > 0);
      case 'cancel':
        return [...active.filter((run) => run.fenceCallId || run.recoverCallId), ...waiting];
      case 'cancel_if_waiting':
        return waiting;
      case 'retry':
        return queued.filter((run) => run.nextAttemptAtMs > this.nowMs);
      case 'settle_unreadable':
        return [...queued.filter((run) => run.recoverCallId), ...waiting];
      case 'resolve_uncertain':
        return (await store.uncertainWrites()).map(({ runId }) => ({ id: runId }));
    }
  }

  async #pick({ isLive, index }: ClaimPick): Promise<Claim | undefined> {
    if (!isLive) return this.claims[index % Math.max(this.claims.length, 1)];
    const running = (await this.fixture.store.runningClaims()).map((claim) => claim.ownerToken);
    const live = this.claims.filter((claim) => running.includes(claim.ownerToken));
    return live[index % Math.max(live.length, 1)];
  }

  async #playWorker(command: Extract<Command, { claim: ClaimPick }>): Promise<Played | null> {
    const claim = await this.#pick(command.claim);
    if (!claim) return null;
    const { runId, ...held } = claim;
    const callId = `call-${held.attempt}`;
    switch (command.kind) {
      case 'step':
        return this.#ask(runId, 'record_step', {
          ...held,
          events: [{ kind: 'tool', round: 1, durationMs: 1.5, payload: { attempt: held.attempt } }],
          messages: [{ role: 'assistant', content: 'a step' }],
          usage: { inputTokens: 2, outputTokens: 1, costMicros: null },
          rounds: 1,
          phase: command.inTools ? 'tools' : 'model',
          fencedCallId: command.endsFence ? callId : '',
          isEffectDone: command.endsFence,
          endsTurn: command.endsTurn,
        });
      case 'renew':
        return this.#ask(runId, 'renew_lease', held);
      case 'release':
        return this.#ask(runId, 'release_claim', { ...held, cause: 'worker_stopped' });
      case 'fence': {
        const effect: Exclude<ToolEffect, 'read_only'> = command.isIdempotent
          ? 'idempotent_write'
          : 'non_idempotent_write';
        return this.#ask(runId, 'stamp_fence', { ...held, callId, effect });
      }
      case 'suspend': {
        const turn = command.asks ? anAskingTurn([ASKING_CALL]) : turnOf(command.calls);
        return this.#ask(runId, 'suspend', { ...held, turn, effects: EFFECTS });
      }
      case 'bounce':
        return this.#ask(runId, 'bounce', { ...held, turn: turnOf(command.calls), effects: EFFECTS });
      case 'complete':
        return this.#ask(runId, 'complete', { ...held, reason: 'completed', answer: 'done' });
      case 'fail':
        return this.#ask(runId, 'fail', {
          ...held,
          failureClass: command.failureClass,
          reason: 'provider_failed',
          errorClass: 'ModelError',
          sentence: 'It failed.',
          uncertainWrite: null,
        });
      case 'reclaim':
        return this.#ask(runId, 'reclaim', {
          ownerToken: held.ownerToken,
          cause: command.isDead ? 'worker_died' : 'lease_over',
        });
      case 'orphan': {
        const call = aCall('make_x');
        const write = {
          callId: call.id,
          toolName: call.name,
          effect: 'non_idempotent_write',
          target: null,
          cause: 'orphaned',
          detail: { call, preview: null },
        } as const;
        return this.#ask(runId, 'record_orphan_write', { write, attempt: held.attempt });
      }
    }
  }
}

const ASKING_CALL = aCall('ask_x', { arguments: {} });

/** Turns of the same length are the very same turn, so that only the revision tells two cards apart. */
function turnOf(calls: number) {
  return aTurn(['set_x', 'read_x', 'make_x'].slice(0, calls).map((name) => aCall(name)));
}

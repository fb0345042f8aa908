/*
 * The public surface of the runtime: what a host, the command line or a test may ask
 * of runs. Every call takes an actor; every change is one store transition; nothing
 * here executes a tool or calls a model — that is the workers' part (execute-segment.ts).
 * Names are the specification's (runtime.md §5).
 */
import { accepted, refused, type Refusal, type Result } from '../../src-shared/refusals.ts';
import type { PendingDecisionView } from '../../src-shared/views/pending-decision-view.ts';
import type { DenialReason, RunMode, RunStatus, WriteFinding } from '../../src-shared/vocabulary.ts';
import { isInitiator, mayActOnRun } from '../domain/access-rules.ts';
import { operatorIdOf, type Actor, type Operator } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { CardBinding } from '../domain/decision-gates.ts';
import type { Pause } from '../domain/pause-rules.ts';
import {
  isTerminal,
  isWaiting,
  type Answers,
  type RunEvent,
  type RunRecord,
  type RunRequest,
  type RunResult,
  type Trigger,
} from '../domain/run.ts';
import type { ToolCatalogue } from '../domain/tool.ts';
import type { TransitionInputs } from '../domain/transitions.ts';
import type { RunStore, UncertainWriteEntry } from '../store/run-store.ts';
import {
  inboxOverview,
  queueFigures,
  readableOwner,
  visibleOwner,
  type InboxOverview,
  type QueueFigures,
} from './inbox-overview.ts';
import type { CrashPoint } from './crash-points.ts';
import { listedRuns, type ListedRun } from './listed-runs.ts';
import { pendingDecision } from './pending-decision.ts';
import { runDetail, type RunDetail } from './run-detail.ts';
import { runReceipt } from './run-receipt.ts';
import { timeline, type TimelineEntry } from './timeline.ts';

/** What a caller wants done. */
export interface StartRun {
  configurationId: string;
  label: string;
  prompt: string;
  maxRounds: number | null;
  allowedToolNames: string[] | null;
  /** An id the caller made, so that a start whose answer got lost can be asked for again; left out = a new one. */
  runId?: string;
}

/** A decision as it comes from a card: both bindings are those delivered with the card. */
export interface CardDecision extends CardBinding {
  /** Approvals only; null = the configuration's window. */
  withdrawWindowMs?: number | null;
  /** Denials only. */
  denialReason?: DenialReason | null;
  /** Denials only; '' or left out = none. */
  note?: string;
  /** Approvals only: also without a readable preview. */
  confirmsBlind?: boolean;
  trigger?: Trigger;
}

/** A form as it comes back from a person, by call. */
export interface FilledForm extends CardBinding {
  answers: Answers;
  trigger?: Trigger;
}

/** A pause with the name of who set or ended it. */
export interface NamedPause extends Pause {
  operatorName: string;
}

export interface RuntimePorts {
  store: RunStore;
  catalogue: ToolCatalogue;
  clock: Clock;
  newRunId(): string;
  /** A decision that was refused: run, actor and reason, never arguments (H-357). */
  onRefusedDecision?(facts: { runId: string; actor: Actor; refusal: Refusal['kind'] }): void;
  /** What was left out because it could not be read. */
  report(error: unknown, where: string): void;
  crashPoint(point: CrashPoint): void;
}

/** How often a waiter looks at the file when nothing in this process tells it to. */
const LOOK_AGAIN_MS = 100;

export class Runtime {
  readonly #ports: RuntimePorts;

  constructor(ports: RuntimePorts) {
    this.#ports = ports;
  }

  /** Stores a run for the workers; the actor's own run when it was started before under this id. Refuses: invalid_request, operator_unavailable, configuration_gone, configuration_inactive, store_busy. */
  enqueue(actor: Actor, wanted: StartRun): Promise<Result<RunRecord>> {
    return this.#start(actor, wanted, 'queued');
  }

  /** Enqueues for a person who waits, and returns the run once it has ended or asks for a person. Faults: the signal's reason. */
  async run(actor: Actor, wanted: StartRun, signal?: AbortSignal): Promise<Result<RunRecord>> {
    const queued = await this.#start(actor, wanted, 'interactive');
    return queued.ok ? this.awaitSettled(actor, queued.value.id, signal) : queued;
  }

  /** Approves the pending turn; a worker carries it out. Refuses: see `decideApproval`. */
  approve(actor: Actor, runId: string, card: CardDecision): Promise<Result<RunRecord>> {
    return this.#decide(actor, runId, true, card);
  }

  /** Denies the pending turn; the run goes on with the refusal. Refuses: see `decideApproval`. */
  deny(actor: Actor, runId: string, card: CardDecision): Promise<Result<RunRecord>> {
    return this.#decide(actor, runId, false, card);
  }

  /** Answers every question of the pending turn; a worker carries them in. Refuses: see `submitInput`. */
  async submitInput(
    actor: Actor,
    runId: string,
    { answers, trigger, ...card }: FilledForm,
  ): Promise<Result<RunRecord>> {
    const input = { actor, trigger: trigger ?? null, answers, ...bindingOf(card), tools: this.#ports.catalogue.list() };
    return this.#storeDecision(actor, runId, 'submit_input', input);
  }

  /** Takes the actor's own approval back while its window is open. Refuses: unknown_run, withdraw_window_over. */
  withdraw(actor: Actor, runId: string): Promise<Result<RunRecord>> {
    const { store, clock } = this.#ports;
    return store.transition(runId, { kind: 'withdraw_approval', input: { actor }, nowMs: clock.nowMs() });
  }

  /** Stops a run that has not ended. Refuses: unknown_run, already_ended. */
  cancel(actor: Actor, runId: string): Promise<Result<RunRecord>> {
    const { store, clock } = this.#ports;
    return store.transition(runId, { kind: 'cancel', input: { actor }, nowMs: clock.nowMs() });
  }

  /**
   * Stops a run only while it waits for a person. `status` is the run's own after the
   * attempt; null = there is no such run for this actor, or the store could not be read.
   */
  async cancelIfWaiting(actor: Actor, runId: string): Promise<{ cancelled: boolean; status: RunStatus | null }> {
    const { store, clock } = this.#ports;
    const result = await store.transition(runId, { kind: 'cancel_if_waiting', input: { actor }, nowMs: clock.nowMs() });
    if (result.ok) return { cancelled: true, status: result.value.status };
    if (result.refusal.kind === 'unknown_run') return { cancelled: false, status: null };
    return { cancelled: false, status: (await store.run(runId))?.status ?? null };
  }

  /** Makes a run due now that waits for its next try or for its endpoint. Refuses: unknown_run, not_delayed, store_busy. */
  retry(actor: Actor, runId: string): Promise<Result<RunRecord>> {
    const { store, clock } = this.#ports;
    return store.transition(runId, { kind: 'retry', input: { actor }, nowMs: clock.nowMs() });
  }

  /** Lets a run of a restored copy go on. Refuses: not_administrator, unknown_run, not_restored, store_busy. */
  release(actor: Actor, runId: string): Promise<Result<RunRecord>> {
    const { store, clock } = this.#ports;
    return store.transition(runId, { kind: 'release_restored', input: { actor }, nowMs: clock.nowMs() });
  }

  /** Ids of the runs that are held because the database was put back from a copy. */
  restoredRuns(): Promise<string[]> {
    return this.#ports.store.restoredRuns();
  }

  /**
   * Settles an uncertain write by what a person found at its target.
   * Refuses: unknown_run, no_uncertain_write, store_busy.
   */
  resolveUncertainWrite(
    actor: Actor,
    runId: string,
    found: { callId: string; finding: WriteFinding },
  ): Promise<Result<RunRecord>> {
    const { store, clock } = this.#ports;
    return store.transition(runId, { kind: 'resolve_uncertain', input: { actor, ...found }, nowMs: clock.nowMs() });
  }

  /** Pauses or resumes everything in all processes. Refuses: operator_unavailable, not_administrator, store_busy. */
  setPause(actor: Actor, isPaused: boolean): Promise<Result<Pause>> {
    const { store, clock } = this.#ports;
    return store.setPause({ actor, isPaused }, clock.nowMs());
  }

  /** Whether everything is paused, and by whom. */
  async pause(): Promise<NamedPause> {
    const pause = await this.#ports.store.pause();
    const by = pause.operatorId > 0 ? await this.#ports.store.operator(pause.operatorId) : null;
    return { ...pause, operatorName: by?.name ?? '' };
  }

  /** The row, without any sealed part; null for unknown and forbidden alike. */
  async status(actor: Actor, runId: string): Promise<RunRecord | null> {
    const run = await this.#ports.store.run(runId);
    return run && mayActOnRun(actor, await this.#liveOperator(actor), run, 'agent:read') ? run : null;
  }

  /** Events after a sequence as they are stored, ascending, at most `limit`; empty for unknown and forbidden alike. */
  async events(actor: Actor, runId: string, afterSequence = -1, limit: number | null = null): Promise<RunEvent[]> {
    return (await this.status(actor, runId)) ? this.#ports.store.events(runId, afterSequence, limit) : [];
  }

  /**
   * The same as they are told: each with the name of the person it tells of, none with content. Who may decide a run has
   * this much of it while it waits for them: they judge what led to the card (D-25).
   */
  async timeline(
    actor: Actor,
    runId: string,
    afterSequence = -1,
    limit: number | null = null,
  ): Promise<TimelineEntry[]> {
    const { store } = this.#ports;
    const run = await store.run(runId);
    if (!run) return [];
    const operator = await this.#liveOperator(actor);
    const mayFollow =
      mayActOnRun(actor, operator, run, 'agent:read') ||
      (isWaiting(run.status) && mayActOnRun(actor, operator, run, 'agent:approve'));
    return mayFollow ? timeline(store, run, await store.events(runId, afterSequence, limit)) : [];
  }

  /** One run with what a screen of its own shows; null for unknown and forbidden alike. */
  detail(actor: Actor, runId: string): Promise<RunDetail | null> {
    return runDetail(this.#ports.store, this.#ports.clock, actor, runId);
  }

  /** How a run ended, in words; null while it goes on, and for unknown and forbidden alike. */
  async result(actor: Actor, runId: string): Promise<RunResult | null> {
    return (await this.status(actor, runId)) ? this.#ports.store.result(runId) : null;
  }

  /** The signed receipt of a decision, null = the newest, as a file. Refuses: unknown_run, no_receipt. */
  receipt(actor: Actor, runId: string, decisionNumber: number | null): Promise<Result<string>> {
    return runReceipt(this.#ports.store, actor, runId, decisionNumber);
  }

  /** The card of a waiting run, for those who may decide it. */
  pendingDecision(actor: Actor, runId: string): Promise<PendingDecisionView | null> {
    return pendingDecision(this.#ports.store, this.#ports.catalogue, actor, runId);
  }

  /** Waiting runs the actor may see, oldest first. */
  async inbox(actor: Actor, limit = 100): Promise<ListedRun[]> {
    const ownerId = visibleOwner(await this.#liveOperator(actor));
    return ownerId === 'none' ? [] : listedRuns(this.#ports, await this.#ports.store.waitingRuns({ ownerId, limit }));
  }

  /** Ended runs the actor may see, newest first. */
  async recent(actor: Actor, limit = 20): Promise<ListedRun[]> {
    const ownerId = visibleOwner(await this.#liveOperator(actor));
    return ownerId === 'none' ? [] : listedRuns(this.#ports, await this.#ports.store.endedRuns({ ownerId, limit }));
  }

  /** Everything the first screen shows of the runs the actor may see. */
  async overview(actor: Actor, waitingLimit: number): Promise<InboxOverview> {
    return inboxOverview(this.#ports, await this.#liveOperator(actor), waitingLimit);
  }

  /** Writes whose outcome a person must establish, of the runs the actor may read. */
  async uncertainWrites(actor: Actor): Promise<UncertainWriteEntry[]> {
    const ownerId = readableOwner(await this.#liveOperator(actor));
    return ownerId === 'none' ? [] : this.#ports.store.uncertainWrites(ownerId);
  }

  /** How the queue is doing, of everybody's runs; null for who may not use the installation. */
  async queueFigures(actor: Actor): Promise<QueueFigures | null> {
    return (await this.#liveOperator(actor))?.isEnabled ? queueFigures(this.#ports.store) : null;
  }

  /** The actor's own live row; null for a service, nobody, or a person who is gone. */
  person(actor: Actor): Promise<Operator | null> {
    return this.#liveOperator(actor);
  }

  /** Resolves once the run has ended or waits for a person; for who may read or decide it. Refuses: unknown_run. Faults: the signal's reason. */
  async awaitSettled(actor: Actor, runId: string, signal?: AbortSignal): Promise<Result<RunRecord>> {
    for (;;) {
      const run = (await this.detail(actor, runId))?.run;
      if (!run) return refused({ kind: 'unknown_run' });
      if (isTerminal(run.status) || isWaiting(run.status)) return accepted(run);
      await this.#ports.clock.pause(LOOK_AGAIN_MS, signal);
    }
  }

  async #liveOperator(actor: Actor): Promise<Operator | null> {
    return operatorIdOf(actor) > 0 ? this.#ports.store.operator(operatorIdOf(actor)) : null;
  }

  async #start(actor: Actor, wanted: StartRun, mode: RunMode): Promise<Result<RunRecord>> {
    const { store, clock, newRunId } = this.#ports;
    const { configurationId, label, maxRounds, allowedToolNames } = wanted;
    const id = wanted.runId ?? newRunId();
    const request: RunRequest = {
      v: 1,
      messages: [{ role: 'user', content: wanted.prompt.toWellFormed() }],
      allowedToolNames,
      temperature: null,
      maxOutputTokens: null,
    };
    const input = { actor, id, configurationId, label: label.toWellFormed(), mode, request, maxRounds };
    const started = await store.transition(id, { kind: 'enqueue', input, nowMs: clock.nowMs() });
    if (started.ok || started.refusal.kind !== 'already_started') return started;
    const before = await store.run(id);
    if (before && isInitiator(actor, before)) return accepted(before);
    return refused({ kind: 'invalid_request', problems: [{ field: 'runId', problem: 'name_taken' }] });
  }

  #decide(actor: Actor, runId: string, approved: boolean, card: CardDecision): Promise<Result<RunRecord>> {
    return this.#storeDecision(actor, runId, 'decide_approval', {
      actor,
      approved,
      ...bindingOf(card),
      denialReason: card.denialReason ?? null,
      note: card.note ?? '',
      confirmsBlind: card.confirmsBlind ?? false,
      trigger: card.trigger ?? null,
      withdrawWindowMs: card.withdrawWindowMs ?? null,
      tools: this.#ports.catalogue.list(),
    });
  }

  async #storeDecision<K extends 'decide_approval' | 'submit_input'>(
    actor: Actor,
    runId: string,
    kind: K,
    input: TransitionInputs[K],
  ): Promise<Result<RunRecord>> {
    const { store, clock, onRefusedDecision, crashPoint } = this.#ports;
    crashPoint('before_decide');
    const decided = await store.transition(runId, { kind, input, nowMs: clock.nowMs() });
    if (!decided.ok) onRefusedDecision?.({ runId, actor, refusal: decided.refusal.kind });
    else crashPoint('after_decide');
    return decided;
  }
}

/** An empty digest is none: null and wrong are the same fact. */
const bindingOf = ({ turnDigest, previewRevision }: CardBinding): CardBinding => ({
  turnDigest: turnDigest || null,
  previewRevision,
});

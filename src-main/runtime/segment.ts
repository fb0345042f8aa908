import type { RunOutcome, ToolEffect } from '../../src-shared/vocabulary.ts';
import type { Result } from '../../src-shared/refusals.ts';
import type { Operator } from '../domain/actor.ts';
import type { Configuration } from '../domain/configuration.ts';
import { calibrated, FIRST_CALIBRATION, type ContextBreakdown } from '../domain/context-fit.ts';
import type { Message } from '../domain/message.ts';
import { ownershipOf, type Ownership } from '../domain/ownership-rules.ts';
import type { ModelQuestion } from '../domain/model-question.ts';
import type { ModelAttempt, RunRecord, RunRequest } from '../domain/run.ts';
import type { RecordStepInput } from '../domain/segment-rules.ts';
import { offeredTools } from '../domain/tool-gate-rules.ts';
import { toolContextOf } from '../domain/tool-context.ts';
import type { ToolContext, ToolDefinition } from '../domain/tool.ts';
import type { TransitionInputs } from '../domain/transitions.ts';
import { effectByName } from '../domain/turn-rules.ts';
import { moveOwned, moveOwnedPair, type OwnedKind } from './owned-moves.ts';
import type { SegmentPorts } from './segment-ports.ts';

/**
 * One uninterrupted execution of a claimed run in this process. Holds what the
 * segment knows — the row as last stored, the transcript, the live owner — and is
 * the only way its steps reach the store. State of two segments never mixes.
 */
export class Segment {
  readonly ports: SegmentPorts;
  readonly request: RunRequest;
  /** Prompt and request, then the transcript. */
  readonly messages: Message[];
  readonly #openingLength: number;
  readonly signal: AbortSignal;
  /** As last read; `offered` reads both again. */
  configuration: Configuration;
  owner: Operator | null;
  run: RunRecord;
  /** What estimates of this segment are multiplied with. */
  calibration = FIRST_CALIBRATION;
  /** Models that were asked in vain since the last answer. */
  attempts: ModelAttempt[] = [];
  /** A step of a read that could not be stored yet. */
  #kept: Step | null = null;
  /** Its request is stored; it is asked next. */
  #question: ModelQuestion | null = null;

  constructor(
    ports: SegmentPorts,
    parts: {
      run: RunRecord;
      configuration: Configuration;
      request: RunRequest;
      owner: Operator | null;
      opening: Message[];
      transcript: Message[];
      signal: AbortSignal;
    },
  ) {
    this.ports = ports;
    this.run = parts.run;
    this.configuration = parts.configuration;
    this.request = parts.request;
    this.owner = parts.owner;
    this.messages = [...parts.opening, ...parts.transcript];
    this.#openingLength = parts.opening.length;
    this.signal = parts.signal;
  }

  /**
   * The tools offered at this moment: the stored wish, narrowed by the gate under the
   * configuration and the owner's rights as they are now. Asked again before each
   * call, so that a tool withdrawn in the middle of a turn does not run; none at all
   * once the configuration is gone or the owner disabled.
   * Source: runtime.md §11.3 [L].
   */
  async offered(): Promise<ToolDefinition[]> {
    const registered = await this.registered();
    return offeredTools(registered, this.request.allowedToolNames, this.configuration, this.owner);
  }

  /** The registry, for the configuration and the owner as they are now; nothing once either is gone. */
  async registered(): Promise<ToolDefinition[]> {
    const { store, catalogue } = this.ports;
    const configuration = await store.configuration(this.configuration.id);
    const owner = this.owner ? await store.operator(this.owner.id) : null;
    if (!configuration || (this.owner && !owner?.isEnabled)) return [];
    this.configuration = configuration;
    this.owner = owner;
    return catalogue.list();
  }

  /** After a model said how many tokens a question really took. */
  learn(breakdown: ContextBreakdown, observedTokens: number): void {
    this.calibration = calibrated(this.calibration, breakdown, observedTokens);
  }

  /** What this run itself has said and done so far. */
  transcript(): Message[] {
    return this.messages.slice(this.#openingLength);
  }

  effectOf(toolName: string): ToolEffect {
    return effectByName(this.ports.catalogue.get(toolName));
  }

  toolContext(): ToolContext {
    const { run, owner, configuration, ports } = this;
    return toolContextOf({ runId: run.id, owner, configuration, protectedPaths: ports.protectedPaths });
  }

  /**
   * Moves the run under this segment's claim. Returns null to go on, or the outcome
   * that ends the segment: the lease is lost or the run was cancelled.
   */
  async move<K extends OwnedKind>(
    kind: K,
    input: Omit<TransitionInputs[K], 'ownerToken' | 'attempt'>,
  ): Promise<RunOutcome | null> {
    const result = await moveOwned(this.ports, this.run, kind, input);
    if (!result.ok && result.refusal.kind === 'paused') return this.handBack('paused');
    return this.#accept(result);
  }

  #accept(result: Result<RunRecord>): RunOutcome | null {
    if (!result.ok) return result.refusal.kind === 'run_cancelled' ? 'cancelled' : 'lease_lost';
    this.run = result.value;
    return result.value.status === 'cancelled' ? 'cancelled' : null;
  }

  /** Gives the run back to the queue, uncounted: this worker stops, or everything is paused. */
  async handBack(cause: TransitionInputs['release_claim']['cause']): Promise<RunOutcome> {
    return (await this.move('release_claim', { cause })) ?? 'requeued';
  }

  /**
   * Whether the run is still this segment's, by one read. A row that cannot be read
   * ends nothing: a cancellation is never invented.
   */
  async lookForEnd(): Promise<RunOutcome | null> {
    const ownership = ownershipOf(await this.ports.store.run(this.run.id), this.run);
    if (ownership === 'owned') return null;
    return ownership === 'cancelled' ? 'cancelled' : 'lease_lost';
  }

  /**
   * Hands the run to a person: a new card, a question, or the same turn with current previews.
   * Returns how the segment ended. Faults: `SuspendFailed`.
   */
  async waitForPerson<K extends 'suspend' | 'bounce'>(
    kind: K,
    input: Omit<TransitionInputs[K], 'ownerToken' | 'attempt'>,
  ): Promise<RunOutcome> {
    try {
      return (await this.move(kind, input)) ?? this.#waiting();
    } catch (error) {
      throw new SuspendFailed(error);
    }
  }

  #waiting(): RunOutcome {
    return this.run.status === 'waiting_for_input' ? 'awaiting_input' : 'awaiting_approval';
  }

  /** Stores a step and adds its messages to the transcript. Same answer as `move`. */
  async record(step: Step): Promise<RunOutcome | null> {
    const stop = await this.#store(this.#withKept(step));
    if (!stop) this.messages.push(...(step.messages ?? []));
    return stop;
  }

  /** Stores a step together with the request of the question that follows it. Same answer as `move`. */
  async recordWithQuestion(step: Step, question: ModelQuestion): Promise<RunOutcome | null> {
    const stop = await this.record({ ...step, events: [...(step.events ?? []), question.event] });
    if (!stop) this.#question = question;
    return stop;
  }

  /** The question whose request is stored already; once. */
  takeQuestion(): ModelQuestion | null {
    const question = this.#question;
    this.#question = null;
    return question;
  }

  /**
   * Stores a step that changed nothing outside. When that fails, the run goes on and
   * the step is stored together with the next one, so neither the record nor the
   * transcript gets a hole.
   */
  async recordRead(step: Step): Promise<RunOutcome | null> {
    const whole = this.#withKept(step);
    let stop: RunOutcome | null = null;
    try {
      stop = await this.#store(whole);
    } catch (error) {
      this.ports.report(error, `step of run ${this.run.id}`);
      this.#kept = whole;
    }
    if (!stop) this.messages.push(...(step.messages ?? []));
    return stop;
  }

  #withKept(step: Step): Step {
    if (!this.#kept) return step;
    return {
      ...step,
      events: [...(this.#kept.events ?? []), ...(step.events ?? [])],
      messages: [...(this.#kept.messages ?? []), ...(step.messages ?? [])],
      endsTurn: this.#kept.endsTurn || step.endsTurn,
    };
  }

  /** Stores the last answer and ends the run in one transaction. Same answer as `move`. */
  recordAndComplete(step: Step, end: Omit<TransitionInputs['complete'], keyof Ownership>): Promise<RunOutcome | null> {
    const whole = this.#wholeStep(this.#withKept(step));
    // The transcript of a run goes with its end.
    return this.#pair({ ...whole, messages: [] }, 'complete', end, async () => {
      return (await this.record(step)) ?? this.move('complete', end);
    });
  }

  /** Stores an answer and hands its turn to a person in one transaction. Returns and faults as `waitForPerson`. */
  async recordAndWait(step: Step, card: Omit<TransitionInputs['suspend'], keyof Ownership>): Promise<RunOutcome> {
    const whole = this.#wholeStep(this.#withKept(step));
    const stop = await this.#pair(whole, 'suspend', card, async () => {
      return (await this.record(step)) ?? this.waitForPerson('suspend', card);
    });
    return stop ?? this.#waiting();
  }

  /**
   * Stores a step and the move it leads to together. When they cannot be, nothing of them
   * is, and they are stored apart, the step first: an answer that was paid for must not be
   * lost over what comes next.
   */
  async #pair<K extends 'suspend' | 'complete'>(
    step: Omit<RecordStepInput, keyof Ownership>,
    kind: K,
    input: Omit<TransitionInputs[K], keyof Ownership>,
    apart: () => Promise<RunOutcome | null>,
  ): Promise<RunOutcome | null> {
    try {
      const result = await moveOwnedPair(this.ports, this.run, step, kind, input);
      this.#kept = null;
      return this.#accept(result);
    } catch (error) {
      // What this throws says the same as the error that led to it.
      const outcome = await apart();
      this.ports.report(error, `${kind} of run ${this.run.id}`);
      return outcome;
    }
  }

  async #store(step: Step): Promise<RunOutcome | null> {
    const stop = await this.move('record_step', this.#wholeStep(step));
    this.#kept = null;
    return stop;
  }

  #wholeStep(step: Step): Omit<RecordStepInput, keyof Ownership> {
    return {
      events: [],
      messages: [],
      usage: null,
      rounds: 0,
      phase: this.run.phase,
      fencedCallId: '',
      isEffectDone: false,
      endsTurn: false,
      ...step,
    };
  }
}

/** What a step stores; what is left out is nothing. */
export type Step = Partial<Omit<RecordStepInput, 'ownerToken' | 'attempt'>>;

/** A pause could not be stored: nobody would ever see the card, so the run ends and says so, or is tried again where a decision hangs on it. */
export class SuspendFailed extends Error {
  constructor(cause: unknown) {
    super('The pause could not be stored.', { cause });
    this.name = 'SuspendFailed';
  }
}

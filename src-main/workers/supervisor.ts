import type { ModelTestView } from '../../src-shared/views/model-test-view.ts';
import type { Clock } from '../domain/clock.ts';
import type { ModelSettings } from '../domain/configuration.ts';
import { ModelProbes } from './model-probes.ts';
import { expireWaitingRuns, remindOfWaitingRuns, sweepDeadWorkers, type ReaperPorts } from './reaper.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** What moved: runs were committed by a worker, or a worker ended or is ready. */
export type SupervisorNews = 'runs' | 'workers';

/** A worker process as the supervisor sees it: `child_process` headless, `utilityProcess` under Electron. */
export interface WorkerProcess {
  pid: number | undefined;
  send(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Called once, however the process ended. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

export interface SupervisorOptions extends ReaperPorts {
  count: number;
  fork(): WorkerProcess;
  newWorkerId(): string;
  startMessage(workerId: string): ToWorker;
  /** Calls back when this machine joins a network; returns the way to stop. */
  watchNetwork(onJoined: () => void): () => void;
}

/** One place of the pool. */
export interface WorkerView {
  workerId: string;
  pid: number | undefined;
  state: 'starting' | 'ready' | 'restarting' | 'stopped';
  restarts: number;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 30_000;
/** A worker that lived this long was healthy: its next restart is quick again. */
const HEALTHY_MS = 30_000;
/** A worker starts in about a second; on a busy machine in several. */
const WORKER_WAIT_MS = 10_000;
const WORKER_LOOK_MS = 50;
const SWEEP_MS = 1_000;
const EXPIRY_MS = 60_000;
/** After a death: until its tool children are gone, too, and the runs are back in the queue. */
const SWEEP_AFTER_DEATH_MS = 50;

interface Slot extends WorkerView {
  process: WorkerProcess | null;
  startedMs: number;
  backoffMs: number;
}

/**
 * Keeps a pool of worker processes alive: restarts with backoff, reclaims the runs of
 * the dead at once, passes wake-ups between them. Holds no state of any run.
 * Source: architecture.md §2.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #slots: Slot[];
  readonly #sweeping: Promise<void>;
  readonly #probes: ModelProbes;
  readonly #stopWatching: () => void;
  readonly #newsListeners = new Set<(news: SupervisorNews) => void>();
  #pendingDeaths = 0;
  #lastEndAtMs = 0;
  #lastExpiryMs = Number.NEGATIVE_INFINITY;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#probes = new ModelProbes(options.clock);
    this.#slots = Array.from({ length: options.count }, emptySlot);
    for (const slot of this.#slots) this.#start(slot);
    this.#sweeping = this.#sweepForever();
    this.#stopWatching = options.watchNetwork(() => this.#endOffline());
  }

  /** Resolves when every worker has said that it is ready. */
  async ready(): Promise<void> {
    while (this.#slots.some((slot) => slot.state !== 'ready')) {
      await this.#options.clock.pause(10, this.#stopped.signal);
    }
  }

  workers(): WorkerView[] {
    return this.#slots.map(({ workerId, pid, state, restarts }) => ({ workerId, pid, state, restarts }));
  }

  /** When a worker last ended unexpectedly, epoch milliseconds; 0 = never. */
  lastWorkerEndAtMs(): number {
    return this.#lastEndAtMs;
  }

  /** Tells the listener when workers committed something and when one of them ended or is ready. Returns the way to stop. */
  onNews(listener: (news: SupervisorNews) => void): () => void {
    this.#newsListeners.add(listener);
    return () => this.#newsListeners.delete(listener);
  }

  /**
   * Lets a ready worker ask a model one question: the host itself never calls one.
   * Null = no worker came to be ready, or the one that asked ended or hangs.
   */
  async probeModel(model: ModelSettings, apiKey: string | null): Promise<ModelTestView | null> {
    const worker = await this.#readyWorker();
    return worker && this.#probes.ask(worker, model, apiKey);
  }

  /** A worker that is ready; right after a start or a crash there may be none for a moment. Null = none came in time. */
  async #readyWorker(): Promise<WorkerProcess | null> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    for (;;) {
      const ready = this.#slots.find(({ state, process }) => state === 'ready' && process !== null);
      if (ready) return ready.process;
      const isComing = this.#slots.some(({ state }) => state === 'starting' || state === 'restarting');
      if (!isComing || clock.monotonicMs() - startedMs >= WORKER_WAIT_MS) return null;
      await clock.pause(WORKER_LOOK_MS);
    }
  }

  /** Tells idle workers to look for work. */
  wake(): void {
    this.#wakeOthers(null);
  }

  /** Lets steps finish up to `graceMs`, then ends what is left; runs of killed workers are reclaimed by the next sweep. */
  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#stopWatching();
    this.#stopped.abort(new Error('The supervisor is stopping.'));
    for (const slot of this.#slots) slot.process?.send({ type: 'stop', graceMs });
    const startedMs = clock.monotonicMs();
    const isOver = (): boolean => clock.monotonicMs() - startedMs >= graceMs;
    while (this.#slots.some((slot) => slot.process) && !isOver()) await clock.pause(20);
    for (const slot of this.#slots) slot.process?.kill();
    while (this.#slots.some((slot) => slot.process)) await clock.pause(20);
    for (const slot of this.#slots) slot.state = 'stopped';
    await this.#sweeping;
  }

  #wakeOthers(except: Slot | null): void {
    for (const slot of this.#slots) {
      if (slot !== except && slot.state === 'ready') slot.process?.send({ type: 'wake' });
    }
  }

  #start(slot: Slot): void {
    const { newWorkerId, clock, fork, startMessage } = this.#options;
    slot.workerId = newWorkerId();
    slot.state = 'starting';
    slot.startedMs = clock.monotonicMs();
    const worker = fork();
    slot.process = worker;
    slot.pid = worker.pid;
    worker.onMessage((message) => this.#hear(slot, message));
    worker.onExit((code) => void this.#ended(slot, code));
    worker.send(startMessage(slot.workerId));
  }

  #hear(slot: Slot, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        slot.state = 'ready';
        return this.#tell('workers');
      case 'changed':
        if (message.wakes) this.#wakeOthers(slot);
        return this.#tell('runs');
      case 'model_probed':
        return this.#probes.answered(message.id, message.result);
    }
  }

  #tell(news: SupervisorNews): void {
    for (const listener of this.#newsListeners) listener(news);
  }

  async #ended(slot: Slot, code: number | null): Promise<void> {
    const { clock, report } = this.#options;
    this.#probes.lost(slot.process);
    slot.process = null;
    if (this.#stopped.signal.aborted) {
      slot.state = 'stopped';
      return;
    }
    slot.state = 'restarting';
    slot.restarts += 1;
    this.#pendingDeaths += 1;
    this.#lastEndAtMs = clock.nowMs();
    this.#tell('workers');
    report(
      new Error(`A worker ended with code ${code}; its runs are taken back and it is restarted.`),
      `worker ${slot.workerId}`,
    );
    const wasHealthy = clock.monotonicMs() - slot.startedMs >= HEALTHY_MS;
    slot.backoffMs =
      wasHealthy || slot.backoffMs === 0 ? FIRST_BACKOFF_MS : Math.min(slot.backoffMs * 2, LAST_BACKOFF_MS);
    await quietly(clock.pause(slot.backoffMs, this.#stopped.signal), this.#stopped.signal);
    if (!this.#stopped.signal.aborted) this.#start(slot);
  }

  /** A run that waits for its endpoint need not wait for the next probe when the network is back. */
  #endOffline(): void {
    const { store, clock, report } = this.#options;
    store.endOffline(null, clock.nowMs()).catch((error: unknown) => report(error, 'network'));
  }

  /** Old questions are looked for now and then only: most have no limit, and the others wait for days. */
  async #expire(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#lastExpiryMs < EXPIRY_MS) return;
    this.#lastExpiryMs = nowMs;
    await expireWaitingRuns(this.#options);
    await remindOfWaitingRuns(this.#options);
  }

  async #sweepForever(): Promise<void> {
    const { clock, report } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        const deaths = this.#pendingDeaths;
        const sweep = await sweepDeadWorkers(this.#options);
        if (sweep.requeued > 0) this.#wakeOthers(null);
        await this.#expire();
        if (sweep.lingering === 0) this.#pendingDeaths -= deaths;
      } catch (error) {
        report(error, 'sweep');
        // A full disk stays full for a while: no quick second look.
        await quietly(clock.pause(SWEEP_MS, this.#stopped.signal), this.#stopped.signal);
      }
      await waitUpTo(clock, SWEEP_MS, () => this.#pendingDeaths > 0, this.#stopped.signal);
    }
  }
}

const emptySlot = (): Slot => ({
  workerId: '',
  pid: undefined,
  state: 'starting',
  restarts: 0,
  process: null,
  startedMs: 0,
  backoffMs: 0,
});

/** Starts the pool at once. */
export const startSupervisor = (options: SupervisorOptions): Supervisor => new Supervisor(options);

/** Waits in small steps so that a death is acted on at once. */
async function waitUpTo(clock: Clock, ms: number, isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < ms && !signal.aborted; waited += SWEEP_AFTER_DEATH_MS) {
    await quietly(clock.pause(SWEEP_AFTER_DEATH_MS, signal), signal);
    if (isUrgent()) return;
  }
}

/** A pause that was ended by the stop signal is over, not failed. */
async function quietly(pause: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await pause;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

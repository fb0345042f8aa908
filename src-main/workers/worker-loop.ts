import type { RunOutcome } from '../../src-shared/vocabulary.ts';
import type { Clock } from '../domain/clock.ts';
import type { RunRecord } from '../domain/run.ts';
import { executeSegment, WorkerStopping } from '../runtime/execute-segment.ts';
import type { SegmentPorts } from '../runtime/segment-ports.ts';
import { Heartbeat } from './heartbeat.ts';

export interface WorkerLoopOptions {
  ports: SegmentPorts;
  workerId: string;
  pid: number;
  /** Label under which `status` counts this worker. */
  transport: string;
  newOwnerToken(): string;
  /** Whether the disk has room for what runs store; without it nothing is claimed, while people go on deciding. */
  hasRoom(): boolean;
}

/** Runs executed at once: the work is mostly waiting for a model. */
const CONCURRENCY = 4;
/** A lost message costs at most this. */
const POLL_MS = 1_000;
/** The look reads a few index entries; nobody should wait longer for a clock that was set back. */
const MEND_MS = 5_000;

/**
 * Claims due runs and executes them until stopped. A run that must run alone is
 * taken only when nothing else executes here, and nothing is taken beside it.
 * Source: architecture.md §2.
 */
export class WorkerLoop {
  /**
   * Resolves when the loop is over and nothing executes any more: after `stop`, or
   * because nothing could be stored. Then the process must end: while it holds its
   * proof of life nobody may take its runs back.
   */
  readonly ended: Promise<void>;
  readonly #options: WorkerLoopOptions;
  readonly #heartbeat: Heartbeat;
  readonly #stopping = new AbortController();
  readonly #active = new Map<string, Promise<void>>();
  #alone = false;
  #lastMendMs = Number.NEGATIVE_INFINITY;
  #nudge = new AbortController();

  constructor(options: WorkerLoopOptions) {
    this.#options = options;
    const { ports, workerId, pid, transport } = options;
    this.#heartbeat = new Heartbeat({ ...ports, worker: { id: workerId, pid, transport } });
    this.ended = this.#run();
  }

  /** Something may be claimable: look now. */
  wake(): void {
    this.#nudge.abort();
  }

  /** Claims nothing more, lets a write in flight finish, hands unfinished runs back. How long that may take is the caller's to limit. */
  async stop(): Promise<void> {
    this.#stopping.abort(new WorkerStopping());
    await this.ended;
    await this.#heartbeat.end();
  }

  /** Resolves when nothing executes here or elsewhere and nothing is due now; a held or delayed run is not waited for. */
  async idle(): Promise<void> {
    const { store, clock } = this.#options.ports;
    for (;;) {
      await Promise.all(this.#active.values());
      const dueAtMs = await store.nextDueAtMs();
      const counts = await store.countByStatus();
      const isDue = dueAtMs !== null && dueAtMs <= clock.nowMs();
      if (this.#active.size === 0 && counts.running === 0 && !isDue) return;
      await clock.pause(100, this.#stopping.signal);
    }
  }

  async #run(): Promise<void> {
    const { ports, workerId } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#nudge = new AbortController();
      let waitMs = POLL_MS;
      try {
        await this.#heartbeat.beat();
        await this.#mendTimes();
        waitMs = await this.#claimDue();
      } catch (error) {
        ports.report(error, `worker ${workerId}`);
      }
      await waitForWork(ports.clock, waitMs, AbortSignal.any([this.#nudge.signal, this.#stopping.signal]));
    }
    await Promise.all(this.#active.values());
  }

  /** Claims what is due and fits; returns how long to wait before looking again. */
  async #claimDue(): Promise<number> {
    const { ports, workerId, newOwnerToken, hasRoom } = this.#options;
    while (!this.#stopping.signal.aborted && !this.#alone && this.#active.size < CONCURRENCY) {
      const dueAtMs = await ports.store.nextDueAtMs();
      const nowMs = ports.clock.nowMs();
      if (dueAtMs === null) break;
      if (dueAtMs > nowMs) return Math.min(dueAtMs - nowMs, POLL_MS);
      if (!hasRoom()) break;
      const isIdle = this.#active.size === 0;
      const tools = ports.catalogue.list();
      const claimed = await ports.store.claim({ workerId, ownerToken: newOwnerToken(), nowMs, isIdle, tools });
      // Due and not for us, e.g. its configuration is switched off: a claim takes the write lock, so it is not tried all the time.
      if (!claimed.ok || !claimed.value) break;
      ports.crashPoint('after_claim');
      this.#alone = claimed.value.runsAlone;
      this.#active.set(claimed.value.id, this.#execute(claimed.value));
    }
    return POLL_MS;
  }

  async #execute(run: RunRecord): Promise<void> {
    const { ports, workerId } = this.#options;
    try {
      const outcome = await executeSegment(ports, run, this.#stopping.signal);
      // It got its answers, so its endpoint is there: nobody else needs to wait for the next probe.
      if (REACHED.has(outcome)) await ports.store.endOffline(run.configurationId, ports.clock.nowMs());
    } catch (error) {
      // Nothing a run does comes here: the store itself is broken or newer than this code, so this worker stops.
      ports.report(error, `worker ${workerId}`);
      this.#stopping.abort(new WorkerStopping());
    } finally {
      this.#active.delete(run.id);
      if (run.runsAlone) this.#alone = false;
      this.wake();
    }
  }

  /** The wall clock may have been set back, while this worker runs or before: a stored time would then not come for hours. */
  async #mendTimes(): Promise<void> {
    const { ports } = this.#options;
    if (ports.clock.monotonicMs() - this.#lastMendMs < MEND_MS) return;
    this.#lastMendMs = ports.clock.monotonicMs();
    await ports.store.mendDueTimes(ports.clock.nowMs());
  }
}

/** How segments end that asked their model. */
const REACHED: ReadonlySet<RunOutcome> = new Set(['completed', 'awaiting_approval', 'awaiting_input']);

/** Starts claiming at once. */
export const startWorkerLoop = (options: WorkerLoopOptions): WorkerLoop => new WorkerLoop(options);

/** Sleeps for a while, or until somebody nudges. */
async function waitForWork(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.pause(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

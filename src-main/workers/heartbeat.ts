import type { Clock } from '../domain/clock.ts';
import type { RunStore } from '../store/run-store.ts';

export interface HeartbeatOptions {
  store: Pick<RunStore, 'touchWorker' | 'forgetWorker'>;
  clock: Clock;
  worker: { id: string; pid: number; transport: string };
  report(error: unknown, where: string): void;
}

const HEARTBEAT_MS = 30_000;

/**
 * Says in the file that a worker lives, for `status`. Best effort: a heartbeat that
 * cannot be stored never gets in the way of work or of a stop, and the log learns what
 * was tried and the class of the error only. Source: runtime.md §20.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #lastTriedMs = Number.NEGATIVE_INFINITY;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** At most one attempt in 30 s, whether it succeeds or fails. */
  async beat(): Promise<void> {
    const { store, clock, worker } = this.#options;
    if (clock.monotonicMs() - this.#lastTriedMs < HEARTBEAT_MS) return;
    this.#lastTriedMs = clock.monotonicMs();
    await this.#try('touch', () => store.touchWorker({ ...worker, nowMs: clock.nowMs() }));
  }

  /** The worker stops: it is not counted any more. */
  async end(): Promise<void> {
    const { store, worker } = this.#options;
    await this.#try('forget', () => store.forgetWorker(worker.id));
  }

  async #try(operation: string, write: () => ReturnType<RunStore['touchWorker']>): Promise<void> {
    const { report, worker } = this.#options;
    const failed = (errorClass: string): void =>
      report({ warning: 'heartbeat not stored', operation, errorClass }, `worker ${worker.id}`);
    try {
      const result = await write();
      if (!result.ok) failed(result.refusal.kind);
    } catch (error) {
      failed(error instanceof Error ? error.name : typeof error);
    }
  }
}

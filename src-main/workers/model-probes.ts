import type { ModelTestView } from '../../src-shared/views/model-test-view.ts';
import type { Clock } from '../domain/clock.ts';
import type { ModelSettings } from '../domain/configuration.ts';
import type { ToWorker } from './worker-messages.ts';

/** A worker answers sooner, with the reason; this is for one that hangs. */
const PROBE_LIMIT_MS = 40_000;

/** The part of a worker process that a question needs. */
interface Asked {
  send(message: ToWorker): void;
}

interface Probe {
  worker: Asked;
  settle(result: ModelTestView | null): void;
}

/** Questions to models that workers are asking for their host, each until its answer, its worker's end or its limit. */
export class ModelProbes {
  readonly #clock: Clock;
  readonly #open = new Map<number, Probe>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null = the worker ended or hangs. */
  async ask(worker: Asked, model: ModelSettings, apiKey: string | null): Promise<ModelTestView | null> {
    this.#count += 1;
    const id = this.#count;
    const isOver = new AbortController();
    const answered = new Promise<ModelTestView | null>((settle) => {
      this.#open.set(id, { worker, settle });
    });
    worker.send({ type: 'probe_model', id, model, apiKey });
    try {
      return await Promise.race([answered, this.#limit(isOver.signal)]);
    } finally {
      this.#open.delete(id);
      isOver.abort();
    }
  }

  /** An answer that came in; one that nobody waits for any more is dropped. */
  answered(id: number, result: ModelTestView): void {
    this.#open.get(id)?.settle(result);
  }

  /** A worker ended: what it was asking is not answered any more. */
  lost(worker: Asked | null): void {
    for (const probe of this.#open.values()) if (probe.worker === worker) probe.settle(null);
  }

  async #limit(signal: AbortSignal): Promise<null> {
    try {
      await this.#clock.pause(PROBE_LIMIT_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return null;
  }
}

import type { Clock } from '../domain/clock.ts';
import type { RunRecord } from '../domain/run.ts';
import { executeSegment, WorkerStopping } from '../runtime/execute-segment.ts';
import type { SegmentPorts } from '../runtime/segment.ts';

export interface WorkerLoopOptions {
  ports: SegmentPorts;
  workerId: string;
  pid: number;
  /** Label under which `status` counts this worker. */
  transport: string;
  newOwnerToken(): string;
}

export interface WorkerLoop {
  /** Something may be claimable: look now. */
  wake(): void;
  /** Claims nothing more, lets steps in flight finish up to the grace time, hands unfinished runs back. */
  stop(): Promise<void>;
  /**
   * Resolves when the loop is over and nothing executes any more: after `stop`, or
   * because nothing could be stored. Then the process must end: while it holds its
   * proof of life nobody may take its runs back.
   */
  ended: Promise<void>;
  /** Resolves when nothing is executing and nothing is due; used by `worker --until-idle`. */
  idle(): Promise<void>;
}

/** Runs executed at once: the work is mostly waiting for a model. */
const CONCURRENCY = 4;
/** A lost message costs at most this. */
const POLL_MS = 1_000;
const HEARTBEAT_MS = 30_000;

/**
 * Claims due runs and executes them until stopped. A run that must run alone is
 * taken only when nothing else executes here, and nothing is taken beside it.
 * Source: architecture.md §2.
 */
export function startWorkerLoop({ ports, workerId, pid, transport, newOwnerToken }: WorkerLoopOptions): WorkerLoop {
  const { store, clock, report } = ports;
  const stopping = new AbortController();
  const active = new Map<string, Promise<void>>();
  let alone = false;
  let lastTouchMs = Number.NEGATIVE_INFINITY;
  let nudge = new AbortController();
  const wake = (): void => nudge.abort();

  const execute = async (run: RunRecord): Promise<void> => {
    try {
      await executeSegment(ports, run, stopping.signal);
    } catch (error) {
      // Nothing a run does comes here: the store itself is broken or newer than this code, so this worker stops.
      report(error, `worker ${workerId}`);
      stopping.abort(new WorkerStopping());
    } finally {
      active.delete(run.id);
      if (run.runsAlone) alone = false;
      wake();
    }
  };

  /** Claims what is due and fits; returns how long to wait before looking again. */
  const claimDue = async (): Promise<number> => {
    while (!stopping.signal.aborted && !alone && active.size < CONCURRENCY) {
      const dueAtMs = await store.nextDueAtMs();
      const nowMs = clock.nowMs();
      if (dueAtMs === null) break;
      if (dueAtMs > nowMs) return Math.min(dueAtMs - nowMs, POLL_MS);
      const claim = { workerId, ownerToken: newOwnerToken(), nowMs, isIdle: active.size === 0 };
      const claimed = await store.claim(claim);
      // Due and not for us, e.g. its configuration is switched off: a claim takes the write lock, so it is not tried all the time.
      if (!claimed.ok || !claimed.value) break;
      ports.crashPoint('after_claim');
      alone = claimed.value.runsAlone;
      active.set(claimed.value.id, execute(claimed.value));
    }
    return POLL_MS;
  };

  const touch = async (): Promise<void> => {
    if (clock.monotonicMs() - lastTouchMs < HEARTBEAT_MS) return;
    // Failed attempts are throttled, too: a heartbeat never gets in the way of work.
    lastTouchMs = clock.monotonicMs();
    await store.touchWorker({ id: workerId, pid, transport, nowMs: clock.nowMs() });
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      nudge = new AbortController();
      let waitMs = POLL_MS;
      try {
        await touch();
        waitMs = await claimDue();
      } catch (error) {
        report(error, `worker ${workerId}`);
      }
      await waitForWork(clock, waitMs, AbortSignal.any([nudge.signal, stopping.signal]));
    }
  };
  const ended = loop().then(async () => void (await Promise.all(active.values())));

  return {
    wake,
    ended,
    async stop() {
      stopping.abort(new WorkerStopping());
      await ended;
      await store.forgetWorker(workerId);
    },
    async idle() {
      for (;;) {
        await Promise.all(active.values());
        const dueAtMs = await store.nextDueAtMs();
        const counts = await store.countByStatus();
        if (active.size === 0 && counts.running === 0 && dueAtMs === null) return;
        await clock.pause(100, stopping.signal);
      }
    },
  };
}

/** Sleeps for a while, or until somebody nudges. */
async function waitForWork(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.pause(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

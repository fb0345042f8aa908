import type { Clock } from '../domain/clock.ts';
import { sweepDeadWorkers, type ReaperPorts } from './reaper.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

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
}

/** One place of the pool. */
export interface WorkerView {
  workerId: string;
  pid: number | undefined;
  state: 'starting' | 'ready' | 'restarting' | 'stopped';
  restarts: number;
}

export interface Supervisor {
  /** Resolves when every worker has said that it is ready. */
  ready(): Promise<void>;
  workers(): WorkerView[];
  /** Tells idle workers to look for work. */
  wake(): void;
  /** Lets steps finish up to `graceMs`, then ends what is left; runs of killed workers are reclaimed by the next sweep. */
  stop(graceMs: number): Promise<void>;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 30_000;
/** A worker that lived this long was healthy: its next restart is quick again. */
const HEALTHY_MS = 30_000;
const SWEEP_MS = 1_000;
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
export function startSupervisor(options: SupervisorOptions): Supervisor {
  const { clock, report } = options;
  const stopped = new AbortController();
  let pendingDeaths = 0;
  const slots: Slot[] = [];
  const wakeOthers = (except: Slot | null): void => {
    for (const slot of slots) if (slot !== except && slot.state === 'ready') slot.process?.send({ type: 'wake' });
  };

  const start = (slot: Slot): void => {
    slot.workerId = options.newWorkerId();
    slot.state = 'starting';
    slot.startedMs = clock.monotonicMs();
    const worker = options.fork();
    slot.process = worker;
    slot.pid = worker.pid;
    worker.onMessage((message) => {
      if (message.type === 'ready') slot.state = 'ready';
      else if (message.wakes) wakeOthers(slot);
    });
    worker.onExit((code) => void ended(slot, code));
    worker.send(options.startMessage(slot.workerId));
  };

  const ended = async (slot: Slot, code: number | null): Promise<void> => {
    slot.process = null;
    if (stopped.signal.aborted) {
      slot.state = 'stopped';
      return;
    }
    slot.state = 'restarting';
    slot.restarts += 1;
    pendingDeaths += 1;
    report(
      new Error(`A worker ended with code ${code}; its runs are taken back and it is restarted.`),
      `worker ${slot.workerId}`,
    );
    const wasHealthy = clock.monotonicMs() - slot.startedMs >= HEALTHY_MS;
    slot.backoffMs =
      wasHealthy || slot.backoffMs === 0 ? FIRST_BACKOFF_MS : Math.min(slot.backoffMs * 2, LAST_BACKOFF_MS);
    await quietly(clock.pause(slot.backoffMs, stopped.signal), stopped.signal);
    if (!stopped.signal.aborted) start(slot);
  };

  const sweepForever = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        const deaths = pendingDeaths;
        const sweep = await sweepDeadWorkers(options);
        if (sweep.reclaimed > 0) wakeOthers(null);
        if (sweep.lingering === 0) pendingDeaths -= deaths;
      } catch (error) {
        report(error, 'sweep');
      }
      await waitUpTo(clock, SWEEP_MS, () => pendingDeaths > 0, stopped.signal);
    }
  };

  for (let index = 0; index < options.count; index += 1) {
    const slot: Slot = {
      workerId: '',
      pid: undefined,
      state: 'starting',
      restarts: 0,
      process: null,
      startedMs: 0,
      backoffMs: 0,
    };
    slots.push(slot);
    start(slot);
  }
  const sweeping = sweepForever();

  return {
    async ready() {
      while (slots.some((slot) => slot.state !== 'ready')) await clock.pause(10, stopped.signal);
    },
    workers: () => slots.map(({ workerId, pid, state, restarts }) => ({ workerId, pid, state, restarts })),
    wake: () => wakeOthers(null),
    async stop(graceMs) {
      stopped.abort(new Error('The supervisor is stopping.'));
      for (const slot of slots) slot.process?.send({ type: 'stop', graceMs });
      const startedMs = clock.monotonicMs();
      const isOver = (): boolean => clock.monotonicMs() - startedMs >= graceMs;
      while (slots.some((slot) => slot.process) && !isOver()) await clock.pause(20);
      for (const slot of slots) slot.process?.kill();
      while (slots.some((slot) => slot.process)) await clock.pause(20);
      for (const slot of slots) slot.state = 'stopped';
      await sweeping;
    },
  };
}

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

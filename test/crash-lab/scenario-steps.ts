import { isTerminal, type RunRecord } from '../../src-main/domain/run.ts';
import { openSqlite, type SqliteConnection } from '../../src-main/system/open-sqlite.ts';
import type { HostProcess } from './host-process.ts';
import type { LabWorld } from './lab-world.ts';
import type { Effect, EndState } from './rows.ts';
import { turnsOf } from './scripts.ts';

/** The end of a scenario: that of its runs, and how it came about. */
export interface ScenarioEnd extends EndState {
  /** Claims. */
  attempts: number;
  /** How often a run was taken back from a worker. */
  reclaimed: number;
  /** How often a person tried a delayed run at once. */
  retried: number;
  /** Decisions of the person that were not taken, because the file could not be written. */
  refused: number;
}

const LIMIT_MS = 90_000;

/** Looks until something is so. Faults: when it does not become so in time, naming it. */
export async function until<T>(what: string, look: () => Promise<T | null | false> | T | null | false): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() - startedMs > LIMIT_MS) throw new Error(`It did not happen: ${what}.`);
    await pause(10);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Holds the write lock of a database file, as another program might. Returns how to give it up. */
export function lockFile(path: string): () => void {
  const connection: SqliteConnection = openSqlite(path, { busyTimeoutMs: 5_000 });
  connection.exec('begin immediate');
  return () => {
    connection.exec('rollback');
    connection.close();
  };
}

/** A run of a scenario, with the steps that scenarios have in common. */
export class ScenarioRun {
  readonly world: LabWorld;
  readonly item: number;
  readonly #effect: Effect;
  id = '';
  refused = 0;

  constructor(world: LabWorld, effect: Effect) {
    this.world = world;
    this.item = world.nextItem();
    this.#effect = effect;
  }

  /** Says what the model answers: the effect of this run, and nothing in its way. */
  speak(change: (turns: ReturnType<typeof turnsOf>) => ReturnType<typeof turnsOf> = (turns) => turns): void {
    this.world.setTurns(change(turnsOf({ point: 'after_claim', effect: this.#effect, segment: 'resume' }, this.item)));
  }

  async start(host: HostProcess = this.world.host): Promise<void> {
    this.id = await this.world.enqueue(`item ${this.item}`, host);
  }

  row(): Promise<RunRecord> {
    return this.world.run(this.id);
  }

  waits(): Promise<boolean> {
    return until('the run waits for a person', async () => (await this.row()).status === 'waiting_for_approval');
  }

  /** A claim whose newest event is the question to the model. */
  async isAsking(attempt: number): Promise<boolean> {
    const run = await this.row();
    return (
      run.status === 'running' && run.attempt === attempt && (await this.world.kinds(this.id)).at(-1) === 'request'
    );
  }

  async startAndWait(): Promise<void> {
    this.speak();
    await this.start();
    await this.waits();
  }

  async approve(host: HostProcess = this.world.host): Promise<string> {
    const said = await host.say({ do: 'approve', runId: this.id });
    if (said !== 'ok') this.refused += 1;
    return said;
  }

  /** The write is fenced and its tool waits for the target, which the caller has locked. */
  fenced(): Promise<RunRecord> {
    return until('the write is fenced', async () => {
      const run = await this.row();
      return run.fenceCallId !== '' && run;
    });
  }

  /** The process id of the worker that holds the run. */
  async workerPid(host: HostProcess = this.world.host): Promise<number> {
    const { workerId } = await this.row();
    const worker = (await host.workers()).find((candidate) => candidate.workerId === workerId);
    if (!worker) throw new Error('The host does not know the worker of the run.');
    return worker.pid;
  }

  /** Waits for the end as a person would: decides what waits, and does not wait for a delayed try. */
  async ended(): Promise<void> {
    await until('the run ends', async () => {
      const run = await this.row();
      if (run.status === 'waiting_for_approval') await this.approve();
      if (run.status === 'queued' && run.nextAttemptAtMs > this.world.nowMs())
        await this.world.host.say({ do: 'retry', runId: this.id });
      return isTerminal(run.status);
    });
  }

  async endState(): Promise<ScenarioEnd> {
    const kinds = await this.world.kinds(this.id);
    const count = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
    return {
      ...(await this.world.endState(this.id, this.item)),
      attempts: count('attempt'),
      reclaimed: count('reclaimed'),
      retried: count('retried'),
      refused: this.refused,
    };
  }
}

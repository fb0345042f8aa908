import { isTerminal, isWaiting, type RunRecord } from '../../src-main/domain/run.ts';
import { HostDied } from './host-process.ts';
import type { LabOrder } from './lab-host.ts';
import type { LabWorld } from './lab-world.ts';
import { demandOf, type EndState, type Row } from './rows.ts';
import { enteredAs, failingTurns, heldAt, namesOf, turnsOf } from './scripts.ts';

/** What came of a row. */
export interface Played {
  row: Row;
  /** Whether a process died at the point, and another one at the second where the row has one. */
  isHit: boolean;
  end: EndState | null;
  /** Differences from what is demanded, in words; empty = green. */
  problems: string[];
}

/** On a machine that is busy with other things a process takes several seconds to start. */
const LIMIT_MS = 90_000;
const LOOK_MS = 15;
const HIT_LIMIT_MS = 10_000;

/** The point lies in a host that takes a run back, so a worker has to be killed first. */
const needsDeadWorker = ({ point, segment }: Row): boolean =>
  point === 'before_reclaim' || point === 'after_reclaim' || (point === 'before_wake' && segment === 'retry');
const isBounce = ({ point }: Row): boolean => point === 'before_bounce' || point === 'after_bounce';
/** A first segment with a write ends by suspending; what settles it is a failure. */
const settlesByFailure = ({ point, effect, segment }: Row): boolean =>
  (point === 'before_settle' || point === 'after_settle') && effect !== 'read' && segment !== 'resume';

/** What a person does about a run that waits for them: each question of a run gets an answer of its own. */
function decisionFor({ id: runId, status, previewRevision }: RunRecord, item: number): LabOrder {
  if (status === 'waiting_for_approval') return { do: 'approve', runId };
  const [first, second] = namesOf(item);
  return { do: 'answer', runId, entered: enteredAs(previewRevision > 1 ? second : first) };
}

/**
 * Plays one row in a world whose processes die at the row's points: brings a run to
 * the segment, arms the point, and does what a person does afterwards — starts a
 * dead host again, decides what waits — until the run has ended.
 */
export async function playRow(world: LabWorld, row: Row): Promise<Played> {
  const player = new Player(world, row);
  try {
    const runId = await player.play();
    const isHit = await isSoonHit(world);
    const end = await world.endState(runId, player.item);
    return { row, isHit, end, problems: compare(row, isHit, end, world.chainProblems()) };
  } catch (error) {
    return {
      row,
      isHit: world.hasHit(),
      end: null,
      problems: [error instanceof Error ? error.message : String(error)],
    };
  } finally {
    world.disarm();
  }
}

/** The end of a run is on disk a moment before its process comes to the point after it. */
async function isSoonHit(world: LabWorld): Promise<boolean> {
  const startedMs = performance.now();
  while (!world.hasHit() && performance.now() - startedMs < HIT_LIMIT_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return world.hasHit();
}

function compare(row: Row, isHit: boolean, end: EndState, chain: string[]): string[] {
  const wanted = demandOf(row).end;
  const names = Object.keys(wanted) as (keyof EndState)[];
  return [
    ...(isHit ? [] : ['no process died at the point, or at the second one']),
    ...names
      .filter((name) => end[name] !== wanted[name])
      .map((name) => `${name} is ${end[name]}, demanded is ${wanted[name]}`),
    ...chain.map((problem) => `chain: ${problem}`),
  ];
}

class Player {
  readonly item: number;
  readonly #world: LabWorld;
  readonly #row: Row;
  #isArmed = false;
  #isGood = false;

  constructor(world: LabWorld, row: Row) {
    this.#world = world;
    this.#row = row;
    this.item = world.nextItem();
  }

  async play(): Promise<string> {
    const { segment } = this.#row;
    this.#say(segment === 'retry' ? 'failing' : this.#wanted());
    if (segment === 'first run' && !needsDeadWorker(this.#row)) this.#arm();
    const runId = await this.#enqueue();
    const startedMs = performance.now();
    while (performance.now() - startedMs < LIMIT_MS) {
      if (!this.#world.host.isAlive) await this.#world.startHost();
      const run = await this.#world.run(runId);
      if (isTerminal(run.status)) return runId;
      await this.#move(run);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    const { status, segment: at, phase } = await this.#world.run(runId);
    throw new Error(`The run has not ended: ${status}, segment ${at}, phase ${phase}.`);
  }

  /** The host of the row before may die only now, behind the end of its run: its workers carried that on. */
  async #enqueue(): Promise<string> {
    const label = `item ${this.item}`;
    try {
      return await this.#world.enqueue(label);
    } catch (error) {
      if (!(error instanceof HostDied)) throw error;
      await this.#world.startHost();
      return this.#world.enqueue(label);
    }
  }

  /** What the model says while the point is armed. */
  #wanted(): 'good' | 'failing' | 'held' {
    if (settlesByFailure(this.#row)) return 'failing';
    return needsDeadWorker(this.#row) ? 'held' : 'good';
  }

  #say(what: 'good' | 'failing' | 'held'): void {
    const turns = turnsOf(this.#row, this.item);
    this.#isGood = what === 'good';
    if (what === 'failing') this.#world.setTurns(failingTurns(this.#row, this.item));
    else this.#world.setTurns(what === 'good' ? turns : heldAt(turns, this.#row.segment === 'resume' ? 1 : 0));
  }

  #arm(): void {
    this.#isArmed = true;
    this.#world.arm();
  }

  async #move(run: RunRecord): Promise<void> {
    if (this.#isArmed && !this.#isGood && this.#world.hasHit()) this.#say('good');
    if (isWaiting(run.status)) await this.#decide(run);
    else if (run.status === 'queued' && run.nextAttemptAtMs > this.#world.nowMs()) await this.#tryNow(run);
    else if (run.status === 'running' && needsDeadWorker(this.#row) && !this.#isArmed) await this.#killHeldWorker(run);
  }

  async #decide(run: RunRecord): Promise<void> {
    if (this.#row.segment === 'resume' && !this.#isArmed) {
      if (isBounce(this.#row)) this.#moveTarget();
      if (!needsDeadWorker(this.#row)) this.#arm();
    }
    await this.#tell(decisionFor(run, this.item));
  }

  /** The host may die over it, or refuse because something else happened meanwhile: the next look decides what to do. */
  async #tell(order: LabOrder): Promise<void> {
    try {
      await this.#world.host.say(order);
    } catch (error) {
      if (!(error instanceof HostDied)) throw error;
    }
  }

  /** Somebody else changes what the card shows: the record, or for an insert the rules of its table. */
  #moveTarget(): void {
    this.#world.target((connection) => {
      if (this.#row.effect === 'idempotent')
        connection.prepare("update items set name = 'moved' where id = ?").run(this.item);
      else connection.exec(`create trigger moved_${this.item} after insert on items begin select 1; end`);
    });
  }

  /** A failure waits half a minute before it is tried again, unless a person does not want to wait. */
  async #tryNow(run: RunRecord): Promise<void> {
    if (this.#row.segment === 'retry' && !this.#isArmed) {
      this.#say(this.#wanted());
      if (!needsDeadWorker(this.#row)) this.#arm();
    }
    await this.#tell({ do: 'retry', runId: run.id });
  }

  async #killHeldWorker(run: RunRecord): Promise<void> {
    const isWanted = { 'first run': 'start', retry: 'retry', resume: 'resume' }[this.#row.segment] === run.segment;
    if (!isWanted || (await this.#world.kinds(run.id)).at(-1) !== 'request') return;
    const worker = (await this.#world.host.workers()).find(({ workerId }) => workerId === run.workerId);
    if (!worker) throw new Error('The host does not know the worker of the run.');
    this.#arm();
    process.kill(worker.pid, 'SIGKILL');
    // Not before: the question is announced before it is asked, and would get this answer.
    this.#say('good');
  }
}

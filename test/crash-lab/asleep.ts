import { familyOf, killAll, signal } from '../e2e/support/process-family.ts';
import type { HostProcess } from './host-process.ts';
import { lockFile, ScenarioRun, until } from './scenario-steps.ts';
import { heldAt, twoInserts } from './scripts.ts';

const LEASE_AND_MORE_MS = 960_000;

/** A machine that sleeps, seen from the one that is awake. */
interface Sleep {
  /** The host that sleeps with everything it started. */
  sleeper: HostProcess;
  /** The worker of the run with its tool children. */
  worker: number[];
  /** A second host on the same file. */
  awake: HostProcess;
  /** Gives up the target that the tool of the run waits for. */
  unlock(): void;
}

/**
 * A machine falls asleep while a tool of the run waits for a target that somebody else has locked. The clock goes on past
 * every lease, and a second host has looked for the dead when `meanwhile` begins.
 */
async function asleep(run: ScenarioRun, meanwhile: (sleep: Sleep) => Promise<void>): Promise<void> {
  const { world } = run;
  const sleeper = world.host;
  await run.start();
  await run.waits();
  const unlock = lockFile(world.targetPath);
  await run.approve();
  await run.fenced();
  const worker = familyOf(await run.workerPid());
  stop(sleeper);
  world.shiftClock(LEASE_AND_MORE_MS);
  try {
    const awake = await world.anotherHost();
    try {
      await takesBackTheDead(run, awake);
      await meanwhile({ sleeper, worker, awake, unlock });
    } finally {
      if (awake !== world.host) await awake.stop();
    }
  } finally {
    wake(sleeper);
  }
}

/** Parents first, then once more, for what they had just started. */
function stop(host: HostProcess): void {
  for (const pid of familyOf(host.pid).toReversed()) signal(pid, 'SIGSTOP');
  for (const pid of familyOf(host.pid)) signal(pid, 'SIGSTOP');
}

function wake(host: HostProcess, except: number[] = []): void {
  for (const pid of familyOf(host.pid)) if (!except.includes(pid)) signal(pid, 'SIGCONT');
}

/**
 * Waits until a host has looked for the dead: the worker of a run of its own dies, and it takes that run back. It judges the
 * oldest lease first, so it has judged the run of the sleeper by then.
 */
async function takesBackTheDead(run: ScenarioRun, host: HostProcess): Promise<void> {
  const bystander = new ScenarioRun(run.world, 'read');
  bystander.speak((turns) => heldAt(turns, 0));
  await bystander.start(host);
  await until('the bystander asks the model', () => bystander.isAsking(1));
  process.kill(await bystander.workerPid(host), 'SIGKILL');
  run.speak();
  await until('the bystander is taken back', async () => (await bystander.endState()).reclaimed === 1);
  // By now it may have proposed what the run has proposed: nobody approves it.
  await host.say({ do: 'cancel', runId: bystander.id });
}

/** The machine wakes: its host first, which looks for the dead by a clock that has jumped, then the worker of the run. */
export async function wakes(run: ScenarioRun): Promise<void> {
  run.speak(() => twoInserts(run.item));
  await asleep(run, async ({ sleeper, worker, awake, unlock }) => {
    await awake.stop();
    wake(sleeper, worker);
    await takesBackTheDead(run, sleeper);
    unlock();
    wake(sleeper);
  });
}

/** The run is cancelled before its machine wakes: the write that was under way ends, the next one does not begin. */
export async function wakesToACancelledRun(run: ScenarioRun): Promise<void> {
  run.speak(() => twoInserts(run.item));
  await asleep(run, async ({ sleeper, awake, unlock }) => {
    await awake.say({ do: 'cancel', runId: run.id });
    unlock();
    wake(sleeper);
    await until('the write that was under way is recorded', async () => (await run.endState()).recorded === 1);
    // Whoever would go on with the turn ends first.
    await sleeper.stop();
    run.world.host = awake;
  });
}

/** The machine never wakes: its processes end in their sleep, and the second host goes on. */
export async function dies(run: ScenarioRun): Promise<void> {
  run.speak();
  await asleep(run, async ({ sleeper, awake, unlock }) => {
    await killAll(familyOf(sleeper.pid));
    unlock();
    run.world.host = awake;
  });
}

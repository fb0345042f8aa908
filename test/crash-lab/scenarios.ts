import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dies, wakes, wakesToACancelledRun } from './asleep.ts';
import { fullDuringDecision, fullDuringWrite, onSmallDisk } from './disk-full.ts';
import { LabWorld, WORKERS, type LabSetting } from './lab-world.ts';
import type { Effect } from './rows.ts';
import { lockFile, pause, ScenarioRun, until, type ScenarioEnd } from './scenario-steps.ts';
import { heldAt } from './scripts.ts';
import { twoHosts } from './two-hosts.ts';

/** Something that happens to a machine, other than a death at one point. */
export interface Scenario {
  name: string;
  /** Case numbers and rules that it proves. */
  cases: string;
  /** What is done, for the document. */
  story: string;
  demand: Partial<ScenarioEnd>;
  play(hostEntry: string): Promise<{ end: ScenarioEnd; chain: string[] }>;
}

const LEASE_AND_MORE_MS = 960_000;
const HOUR_MS = 3_600_000;
/** Longer than the 5 s for which a write is repeated before it is refused. */
const LOCKED_MS = 6_000;
/** Several sweeps of a host, which sweeps once a second. */
const SWEEPS_MS = 3_500;

const DONE: ScenarioEnd = {
  status: 'completed',
  endReason: 'completed',
  effects: 1,
  recorded: 1,
  cards: 1,
  decisions: 1,
  answers: 0,
  uncertain: 0,
  attempts: 2,
  reclaimed: 0,
  retried: 0,
  refused: 0,
};

/** A scenario about one run in a world of its own. */
function oneRun(effect: Effect, play: (run: ScenarioRun) => Promise<void>, setting: Partial<LabSetting> = {}) {
  return async (hostEntry: string): Promise<{ end: ScenarioEnd; chain: string[] }> => {
    const world = await LabWorld.open({ hostEntry, deaths: [], ...setting });
    try {
      const run = new ScenarioRun(world, effect);
      await play(run);
      await run.ended();
      return { end: await run.endState(), chain: world.chainProblems() };
    } finally {
      await world.dispose();
    }
  };
}

/** Brings the run to its write, which waits for a target that somebody else has locked; the caller gives the lock up. */
async function toLockedWrite(run: ScenarioRun): Promise<() => void> {
  await run.startAndWait();
  const unlock = lockFile(run.world.targetPath);
  await run.approve();
  await run.fenced();
  return unlock;
}

async function stoppedPastLease(run: ScenarioRun): Promise<void> {
  const unlock = await toLockedWrite(run);
  const pid = await run.workerPid();
  process.kill(pid, 'SIGSTOP');
  unlock();
  await until('the tool child writes', async () => (await run.endState()).effects === 1);
  run.world.shiftClock(LEASE_AND_MORE_MS);
  await pause(SWEEPS_MS);
  process.kill(pid, 'SIGCONT');
}

/** Long enough to be stopped in, short enough to come back from. */
const THINKING_MS = 5_000;

/** Stops the worker of a new run while its model thinks; no tool child exists yet. Returns its process id. */
async function stopThinking(run: ScenarioRun): Promise<number> {
  run.speak(([first, ...others]) => [{ ...first, delayMs: THINKING_MS }, ...others]);
  await run.start();
  await until('the first worker asks the model', () => run.isAsking(1));
  const pid = await run.workerPid();
  // The question is announced before it is asked: let it be asked.
  await pause(THINKING_MS / 5);
  process.kill(pid, 'SIGSTOP');
  return pid;
}

async function stoppedThinking(run: ScenarioRun): Promise<void> {
  const pid = await stopThinking(run);
  run.world.shiftClock(LEASE_AND_MORE_MS);
  await pause(SWEEPS_MS);
  // Whoever should not have taken the run gets an answer at once, so that the scenario ends and can be judged.
  run.speak();
  process.kill(pid, 'SIGCONT');
}

async function stoppedWithoutProof(run: ScenarioRun): Promise<void> {
  const { world } = run;
  const first = await stopThinking(run);
  const { workerId } = await run.row();
  run.speak((turns) => heldAt(turns, 0));
  rmSync(join(world.opened.installation.paths.workers, `${workerId}.alive`));
  world.shiftClock(LEASE_AND_MORE_MS);
  await until('another worker asks the model', () => run.isAsking(2));
  const second = await run.workerPid();
  process.kill(first, 'SIGCONT');
  // The first worker comes back with its answer, to a run that is somebody else's now.
  await pause(THINKING_MS + 2_000);
  process.kill(second, 'SIGKILL');
  run.speak();
}

async function lockedDuringDecision(run: ScenarioRun): Promise<void> {
  await run.startAndWait();
  const unlock = lockFile(run.world.databasePath);
  const decided = run.approve();
  await pause(LOCKED_MS);
  unlock();
  await decided;
}

async function lockedDuringWrite(run: ScenarioRun): Promise<void> {
  const unlockTarget = await toLockedWrite(run);
  const unlock = lockFile(run.world.databasePath);
  unlockTarget();
  await pause(LOCKED_MS);
  unlock();
}

async function clockBackDuringWrite(run: ScenarioRun): Promise<void> {
  const unlock = await toLockedWrite(run);
  run.world.shiftClock(-HOUR_MS);
  unlock();
}

/** The host that stores the run has no workers, so that the clock can jump before the claim. */
async function clockBackWhileQueued(run: ScenarioRun): Promise<void> {
  const { world } = run;
  run.speak();
  await run.start();
  world.shiftClock(-HOUR_MS);
  await world.host.stop();
  await world.startHost(WORKERS);
  // By itself, before anybody would try it by hand.
  await until('a worker takes the run', async () => (await run.endState()).attempts > 0);
}

async function hostKilled(run: ScenarioRun): Promise<void> {
  const unlock = await toLockedWrite(run);
  await run.world.host.kill();
  unlock();
  await until('the worker without a host records its write', async () => (await run.endState()).recorded === 1);
  await run.world.startHost();
}

async function childOutlivesWorker(run: ScenarioRun): Promise<void> {
  const unlock = await toLockedWrite(run);
  process.kill(await run.workerPid(), 'SIGKILL');
  unlock();
}

export const SCENARIOS: Scenario[] = [
  {
    name: 'worker stopped past its lease',
    cases: 'X22',
    story: 'SIGSTOP while its tool writes, the clock goes on by 16 minutes, SIGCONT. It holds its proof of life.',
    demand: DONE,
    play: oneRun('non-idempotent', stoppedPastLease),
  },
  {
    name: 'thinking worker stopped past its lease',
    cases: 'X9, X22, D-08',
    story: 'SIGSTOP while its model thinks, the clock goes on by 16 minutes, SIGCONT. Nobody else takes the run.',
    demand: DONE,
    play: oneRun('idempotent', stoppedThinking),
  },
  {
    name: 'stopped worker whose proof of life is gone',
    cases: 'R-120, X7, D-06',
    story:
      'SIGSTOP while its model thinks, its proof is deleted, the clock goes on by 16 minutes: the lease decides. SIGCONT while another worker has the run, whose death follows.',
    demand: { ...DONE, attempts: 4, reclaimed: 2 },
    play: oneRun('idempotent', stoppedWithoutProof),
  },
  {
    name: 'machine asleep past its lease',
    cases: 'T-47, T-48',
    story:
      'Host, workers and tool child stop during the first of two inserts, the clock goes on by 16 minutes, and a second host takes back another run, whose worker died, but not this one. They go on: the woken host does the same before the worker of the run wakes.',
    demand: { ...DONE, effects: 2, recorded: 2 },
    play: oneRun('non-idempotent', wakes),
  },
  {
    name: 'machine asleep while its run is cancelled',
    cases: 'T-47',
    story:
      'The same sleep, but a person cancels the run at the second host. The woken worker records the insert that was under way and does not begin the next one.',
    demand: { ...DONE, status: 'cancelled', endReason: 'cancelled' },
    play: oneRun('non-idempotent', wakesToACancelledRun),
  },
  {
    name: 'machine dead in its sleep',
    cases: 'T-47',
    story:
      'The same sleep over an update, but SIGKILL to all of them instead of SIGCONT: the second host takes the run over.',
    demand: { ...DONE, attempts: 3, reclaimed: 1, retried: 1 },
    play: oneRun('idempotent', dies),
  },
  {
    name: 'tool child outlives its worker',
    cases: '5a',
    story: 'SIGKILL to the worker while its tool waits for the target; the child writes under its own proof of life.',
    demand: { ...DONE, attempts: 3, reclaimed: 1, retried: 1 },
    play: oneRun('idempotent', childOutlivesWorker),
  },
  {
    name: 'disk full during a decision',
    cases: 'R-67, H-118',
    story: 'No room for the decision: it is a fault and the run still waits. With room again the same card is decided.',
    demand: { ...DONE, refused: 1 },
    play: (hostEntry) =>
      onSmallDisk((disk) =>
        oneRun('idempotent', (run) => fullDuringDecision(run, disk), { dataFolder: disk.dataFolder })(hostEntry),
      ),
  },
  {
    name: 'disk full during a write',
    cases: 'X2, 5a',
    story: 'The write is done and there is no room to say so: the worker ends itself. With room again it is recovered.',
    demand: { ...DONE, attempts: 3, reclaimed: 1, retried: 1 },
    play: (hostEntry) =>
      onSmallDisk((disk) =>
        oneRun('idempotent', (run) => fullDuringWrite(run, disk, toLockedWrite), { dataFolder: disk.dataFolder })(
          hostEntry,
        ),
      ),
  },
  {
    name: 'database locked for 6 s during a decision',
    cases: 'R-67',
    story: 'Another program holds the lock; after 5 s the person is told so, and decides again.',
    demand: { ...DONE, refused: 1 },
    play: oneRun('non-idempotent', lockedDuringDecision),
  },
  {
    name: 'database locked for 6 s during a write',
    cases: '0003',
    story: 'The write is done and another program holds the lock; the worker waits with its result.',
    demand: DONE,
    play: oneRun('non-idempotent', lockedDuringWrite),
  },
  {
    name: 'clock set back an hour during a write',
    cases: '§24.5',
    story: 'The wall clock of host and workers jumps back while a tool writes.',
    demand: DONE,
    play: oneRun('non-idempotent', clockBackDuringWrite),
  },
  {
    name: 'clock set back an hour while queued',
    cases: '§24.5',
    story:
      'The wall clock jumps back between storing a run and its claim. It is due at once: its time would come in an hour.',
    demand: DONE,
    play: oneRun('idempotent', clockBackWhileQueued, { workers: 0 }),
  },
  {
    name: 'host killed under its workers',
    cases: 'X21, T-10',
    story: 'SIGKILL to the host while a tool writes. The worker records the write and ends; a new host goes on.',
    demand: { ...DONE, attempts: 3 },
    play: oneRun('non-idempotent', hostKilled),
  },
  {
    name: 'two hosts on one file',
    cases: 'T-35, D-24',
    story:
      'Two hosts with two workers each, six inserts, every card approved at both hosts at once; then one host is killed. Sums of all six runs.',
    // A worker of the killed host hands back what it has just claimed, so the number of claims varies.
    demand: { ...DONE, effects: 6, recorded: 6, cards: 6, decisions: 6, attempts: undefined, refused: 6 },
    play: twoHosts,
  },
];

/** Differences from what is demanded, in words; empty = green. */
export function compareScenario(demand: Partial<ScenarioEnd>, end: ScenarioEnd, chain: string[]): string[] {
  const names = Object.keys(demand) as (keyof ScenarioEnd)[];
  return [
    ...names
      .filter((name) => demand[name] !== undefined && end[name] !== demand[name])
      .map((name) => `${name} is ${end[name]}, demanded is ${demand[name]}`),
    ...chain.map((problem) => `chain: ${problem}`),
  ];
}

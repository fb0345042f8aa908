import { pause, until, type ScenarioRun } from './scenario-steps.ts';
import { smallDisk, type SmallDisk } from './small-disk.ts';

/** A second without room: longer than the pauses between two tries of a worker or a host. */
const FULL_MS = 1_000;

/** The disk is full when the person decides, and has room again for their second try. */
export async function fullDuringDecision(run: ScenarioRun, disk: SmallDisk): Promise<void> {
  await run.startAndWait();
  await disk.fill(run.world);
  const said = await run.approve();
  if (!said.startsWith('fault')) throw new Error(`The decision was answered with "${said}" on a full disk.`);
  const { status, decisions } = await run.endState();
  if (status !== 'waiting_for_approval' || decisions > 0) throw new Error(`The run is ${status} after the fault.`);
  await disk.free(run.world);
}

/** The disk is full when a worker wants to store what it wrote; it ends itself, and its runs come back when there is room. */
export async function fullDuringWrite(
  run: ScenarioRun,
  disk: SmallDisk,
  toLockedWrite: (run: ScenarioRun) => Promise<() => void>,
): Promise<void> {
  const unlock = await toLockedWrite(run);
  const pid = await run.workerPid();
  await disk.fill(run.world);
  unlock();
  await until('the worker ends itself', async () =>
    (await run.world.host.workers()).every((worker) => worker.pid !== pid),
  );
  await pause(FULL_MS);
  await disk.free(run.world);
}

/** Plays on a disk of its own. */
export async function onSmallDisk<T>(play: (disk: SmallDisk) => Promise<T>): Promise<T> {
  const disk = smallDisk();
  try {
    return await play(disk);
  } finally {
    disk.remove();
  }
}

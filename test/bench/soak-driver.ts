import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../support/world.ts';
import { promptOf } from './bench-world.ts';

/** Runs that are on their way at the same time. */
const OPEN = 64;
const LOOK_MS = 20;
/** The longest wait before a counted try is two minutes; nothing at all for this long is a run that hangs. */
const STALL_MS = 600_000;

/** What was done to drive a soak. */
export interface Driven {
  approvals: number;
  /** Decisions that came too late, because the run had moved meanwhile. */
  refusedApprovals: number;
  /** Cards without a preview, because the target was locked when they were made: nobody approves what cannot be seen. */
  deniedUnseen: number;
  /** Starts that were refused because the database was locked for seconds, and made again. */
  busyStarts: number;
  /** Whether it ended because nothing moved any more. */
  hasStalled: boolean;
}

/** Starts runs 1 to `runs`, labelled with their number, approves whatever waits, and returns once nothing is open any more. */
export async function driveRuns(world: World, runs: number, onProgress: (started: number) => void): Promise<Driven> {
  const { store } = world.opened.installation;
  const driven: Driven = { approvals: 0, refusedApprovals: 0, deniedUnseen: 0, busyStarts: 0, hasStalled: false };
  let started = 0;
  let lastSeq = -1;
  let movedAtMs = performance.now();
  for (;;) {
    const waiting = await store.waitingRuns({ ownerId: null, limit: OPEN });
    await Promise.all(waiting.map(({ id }) => approve(world, id, driven)));
    const active = await store.activeRuns({ ownerId: null, limit: OPEN });
    const open = active.length + waiting.length;
    const more = Math.min(OPEN - open, runs - started);
    if (more > 0)
      await Promise.all(Array.from({ length: more }, (_, index) => start(world, started + index + 1, driven)));
    started += Math.max(0, more);
    if (open === 0 && more <= 0) return driven;
    onProgress(started);
    const changes = store.changesAfter(lastSeq);
    if (changes.lastSeq !== lastSeq) movedAtMs = performance.now();
    lastSeq = changes.lastSeq;
    if (performance.now() - movedAtMs > STALL_MS) return { ...driven, hasStalled: true };
    await pause(LOOK_MS);
  }
}

async function start({ opened, configuration }: World, run: number, driven: Driven): Promise<void> {
  const wanted = {
    configurationId: configuration.id,
    label: String(run),
    prompt: promptOf(run),
    maxRounds: null,
    allowedToolNames: null,
  };
  for (;;) {
    const queued = await opened.runtime.enqueue(opened.actor, wanted);
    if (queued.ok) return;
    // A machine that is busy with other things may hold the lock for seconds; a person would press once more.
    if (queued.refusal.kind !== 'store_busy') throw new Error(`A run was refused: ${queued.refusal.kind}`);
    driven.busyStarts += 1;
  }
}

async function approve({ opened }: World, runId: string, driven: Driven): Promise<void> {
  const card = await opened.runtime.pendingDecision(opened.actor, runId);
  if (!card) return;
  const decided = await opened.runtime.approve(opened.actor, runId, card);
  if (decided.ok) driven.approvals += 1;
  else if (decided.refusal.kind === 'blind_not_confirmed') {
    await opened.runtime.deny(opened.actor, runId, card);
    driven.deniedUnseen += 1;
  } else driven.refusedApprovals += 1;
}

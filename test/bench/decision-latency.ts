import type { World } from '../support/world.ts';
import { openBenchWorld, promptOf } from './bench-world.ts';
import { spread } from './figures.ts';

const DECISIONS = 200;
/** Not counted: the tool processes of the workers start with their first call. */
const WARM_UP = 10;
const WORKERS = 2;
const LIMIT_MS = 60_000;

/**
 * From the call of `approve` to the moment at which the host can read the first step of the resumed run, which is the
 * result of its write: with a pool of worker processes, their tool processes, and a target on disk.
 */
export async function measureDecisions(): Promise<Record<string, unknown>> {
  const world = await openBenchWorld(DECISIONS + WARM_UP);
  try {
    const pool = world.pool(WORKERS);
    await pool.ready();
    const { runtime, actor } = world.opened;
    const runs = [];
    for (let run = 1; run <= DECISIONS + WARM_UP; run += 1) runs.push(await world.start(promptOf(run)));
    for (const { id } of runs) await runtime.awaitSettled(actor, id, AbortSignal.timeout(LIMIT_MS));
    const claimMs: number[] = [];
    const stepMs: number[] = [];
    for (const { id } of runs) {
      const measured = await decide(world, id, pool);
      claimMs.push(measured.claimMs);
      stepMs.push(measured.stepMs);
      await runtime.awaitSettled(actor, id, AbortSignal.timeout(LIMIT_MS));
    }
    return {
      workers: WORKERS,
      toClaimMs: spread(claimMs.slice(WARM_UP)),
      toFirstStepMs: spread(stepMs.slice(WARM_UP)),
    };
  } finally {
    await world.dispose();
  }
}

/** Looks whenever a worker says that it committed something, as the console itself does. */
async function decide(
  { opened }: World,
  runId: string,
  pool: ReturnType<World['pool']>,
): Promise<{ claimMs: number; stepMs: number }> {
  const { runtime, actor, installation } = opened;
  const card = await runtime.pendingDecision(actor, runId);
  if (!card) throw new Error('A run does not wait for its decision.');
  const waiting = await installation.store.run(runId);
  const startedMs = performance.now();
  let claimMs = 0;
  const resumed = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A decided run did not go on.')), LIMIT_MS);
    const stop = pool.onNews(() => {
      void installation.store.events(runId, waiting?.lastSequence ?? 0).then((events) => {
        const nowMs = performance.now() - startedMs;
        if (claimMs === 0 && events.some(({ kind }) => kind === 'attempt')) claimMs = nowMs;
        if (!events.some(({ kind }) => kind === 'tool')) return;
        stop();
        clearTimeout(timer);
        resolve(nowMs);
      });
    });
  });
  const decided = await runtime.approve(actor, runId, card);
  if (!decided.ok) throw new Error(`An approval was refused: ${decided.refusal.kind}`);
  return { stepMs: await resumed, claimMs };
}

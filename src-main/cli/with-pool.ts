import { startNodePool, STOP_GRACE_MS, type Console } from '../compose.ts';

/**
 * Does something that needs workers: those that run already, else two of our own
 * for as long as it takes.
 */
export async function withPool<T>(opened: Console, callerUrl: string, work: () => Promise<T>): Promise<T> {
  if ((await liveWorkers(opened)) > 0) return work();
  const pool = startNodePool(opened, 2, callerUrl);
  try {
    return await work();
  } finally {
    await pool.stop(STOP_GRACE_MS);
  }
}

/** Workers of any kind that were seen within the last two minutes. */
export async function liveWorkers({ installation, clock }: Console): Promise<number> {
  const health = await installation.store.health({ nowMs: clock.nowMs(), workerMaxAgeMs: 120_000, transport: null });
  return health.liveWorkers;
}

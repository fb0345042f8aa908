import { isServed, startNodePool, STOP_GRACE_MS, type Console } from '../compose.ts';

/**
 * Does something that needs workers: those that run already, else two of our own
 * for as long as it takes.
 */
export async function withPool<T>(opened: Console, callerUrl: string, work: () => Promise<T>): Promise<T> {
  if (isServed(opened)) return work();
  const pool = startNodePool(opened, 2, callerUrl);
  try {
    return await work();
  } finally {
    await pool.stop(STOP_GRACE_MS);
  }
}

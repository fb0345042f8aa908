import { createContext, Script } from 'node:vm';

/*
 * The one file of the rules that uses a module of Node, apart from digest.ts: nothing else interrupts a regular
 * expression that backtracks without end. It reads no clock; what it is asked for either ended in time or did not.
 */

const room = createContext({ work: undefined as (() => void) | undefined });
const call = new Script('work()');

/** What `work` gives; null when it had not ended after `limitMs` and was interrupted where it stood. Rethrows what it throws. */
export function withinTime<T>(limitMs: number, work: () => T): { value: T } | null {
  let ended: { value: T } | null = null;
  room.work = () => {
    ended = { value: work() };
  };
  try {
    call.runInContext(room, { timeout: limitMs });
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return null;
  } finally {
    room.work = undefined;
  }
  return ended;
}

/** Made in the room's own realm, so it is no `Error` of this one. */
const isInterruption = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

import { environmentVariable } from './environment.ts';

/** Names the point at which a process of ours is to die, and a file. Read by hosts and commands only; they pass it on. */
export const CRASH_POINT_VARIABLE = 'COUNTERSIGN_CRASH_POINT';

/**
 * What the environment says about crash points, or null where there are none: a
 * packaged app must not be made to kill itself by a variable. Only Electron's main
 * process can tell whether it is packaged, and says so. Anything else that runs on
 * Electron's Node counts as packaged; plain Node is a checkout.
 * Source: docs/decisions/0001-processes-as-workers.md.
 */
export function crashPointSetting(isPackaged = process.versions.electron !== undefined): string | null {
  return isPackaged ? null : environmentVariable(CRASH_POINT_VARIABLE);
}

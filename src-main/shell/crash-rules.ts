/** So often a window is loaded again by itself, and within which time that counts. */
const MAX_RELOADS = 3;
const WINDOW_MS = 60_000;

export interface CrashVerdict {
  /** `reload` by itself, `ask` the person, or `none`: the page ended as it should. */
  action: 'reload' | 'ask' | 'none';
  /** When the reloads were that still count, for the next verdict. */
  reloadsMs: readonly number[];
}

/**
 * What to do when the page of a window has ended. A page that ends as soon as it is
 * loaded must not be loaded for ever: the fourth time within a minute a person is asked.
 */
export function afterPageEnded(reason: string, reloadsMs: readonly number[], nowMs: number): CrashVerdict {
  if (reason === 'clean-exit') return { action: 'none', reloadsMs };
  const recent = reloadsMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
  if (recent.length >= MAX_RELOADS) return { action: 'ask', reloadsMs: recent };
  return { action: 'reload', reloadsMs: [...recent, nowMs] };
}

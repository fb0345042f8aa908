import { accepted, type Result } from '../../src-shared/refusals.ts';
import type { Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { Purged, PurgeLimits } from '../domain/retention-rules.ts';
import type { RunStore } from '../store/run-store.ts';

/** Runs that go in one transaction: a decision that comes meanwhile waits for one of these, not for the purge. */
const CHUNK = 25;
/** Between two transactions others get the lock. */
const PAUSE_MS = 20;

/**
 * Takes away what the limits say, in short transactions, the longest ended first; `most` null = all of it. What one of
 * them has taken is gone, whatever comes of the next.
 * Refuses: not_administrator, store_busy.
 */
export async function purgeRuns(
  { store, clock }: { store: RunStore; clock: Clock },
  { actor, limits, most }: { actor: Actor; limits: PurgeLimits; most: number | null },
): Promise<Result<Purged>> {
  const total: Purged = { runs: 0, events: 0 };
  for (;;) {
    const limit = Math.min(CHUNK, (most ?? Infinity) - total.runs);
    const chunk = await store.purge({ actor, limits, limit }, clock.nowMs());
    if (!chunk.ok) return chunk;
    total.runs += chunk.value.runs;
    total.events += chunk.value.events;
    if (chunk.value.runs < limit || total.runs === most) return accepted(total);
    await clock.pause(PAUSE_MS);
  }
}

import type { RunStatus } from '../../src-shared/vocabulary.ts';
import { seesAllRuns } from '../domain/access-rules.ts';
import type { Operator } from '../domain/actor.ts';
import type { RunRecord } from '../domain/run.ts';
import type { RunStore, UncertainWriteEntry } from '../store/run-store.ts';
import { listedRuns, type ListedRun, type ListPorts } from './listed-runs.ts';

/** The runs and writes of the first screen, of those the person may see. `counts` are exact where lists are cut. */
export interface InboxOverview {
  waiting: ListedRun[];
  active: ListedRun[];
  recent: ListedRun[];
  uncertainWrites: UncertainWriteEntry[];
  counts: Record<RunStatus, number>;
}

export interface QueueFigures {
  counts: Record<RunStatus, number>;
  /** 0 = nothing waits. */
  oldestWaitingSinceMs: number;
}

const ACTIVE_LIMIT = 100;
const RECENT_LIMIT = 50;

/** Whose runs a person's lists hold: null = everybody's. */
export function visibleOwner(operator: Operator | null): number | null | 'none' {
  if (!operator?.isEnabled) return 'none';
  return seesAllRuns(operator) ? null : operator.id;
}

/** Whose runs a person may read in full: approving for others is not reading them. Source: `mayActOnRun` with `agent:read`. */
export function readableOwner(operator: Operator | null): number | null | 'none' {
  if (!operator?.isEnabled) return 'none';
  return operator.isAdmin ? null : operator.id;
}

/**
 * One look at everything the first screen shows. Who may see a run is part of each
 * question to the store, so that a list is never cut before it is filtered.
 */
export async function inboxOverview(
  { store, report }: ListPorts & { store: RunStore },
  operator: Operator | null,
  waitingLimit: number,
): Promise<InboxOverview> {
  const ownerId = visibleOwner(operator);
  const readable = readableOwner(operator);
  const nobody = ownerId === 'none' || readable === 'none';
  // No person has this id: their counts are all 0, in the shape of the others.
  const counts = await store.countByStatus(nobody ? -1 : ownerId);
  if (nobody) return { waiting: [], active: [], recent: [], uncertainWrites: [], counts };
  const listed = (runs: RunRecord[]): Promise<ListedRun[]> => listedRuns({ store, report }, runs);
  return {
    waiting: await listed(await store.waitingRuns({ ownerId, limit: waitingLimit })),
    active: await listed(await newestActive(store, ownerId)),
    recent: await listed(await store.endedRuns({ ownerId, limit: RECENT_LIMIT })),
    uncertainWrites: await store.uncertainWrites(readable),
    counts,
  };
}

async function newestActive(store: RunStore, ownerId: number | null): Promise<RunRecord[]> {
  const runs = await store.activeRuns({ ownerId, limit: ACTIVE_LIMIT });
  return runs.toSorted((left, right) => right.createdAtMs - left.createdAtMs);
}

/** Counts and the longest wait, over the whole queue. */
export async function queueFigures(store: RunStore): Promise<QueueFigures> {
  const [oldest] = await store.waitingRuns({ ownerId: null, limit: 1 });
  return { counts: await store.countByStatus(), oldestWaitingSinceMs: oldest?.waitingSinceMs ?? 0 };
}

import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../../src-shared/refusals.ts';
import type { Clock } from '../domain/clock.ts';
import { reminderLeadMs } from '../domain/expire-rules.ts';
import type { RunRecord } from '../domain/run.ts';
import type { TransitionInputs, TransitionKind } from '../domain/transitions.ts';
import type { CrashPoint } from '../runtime/crash-points.ts';
import type { RunningClaim, RunStore } from '../store/run-store.ts';
import { probeAliveLock } from '../system/alive-lock.ts';

export interface ReaperPorts {
  store: RunStore;
  clock: Clock;
  /** Folder of the proof-of-life files: `<workerId>.alive` and `<workerId>.child-<n>.alive`. */
  workersFolder: string;
  report(error: unknown, where: string): void;
  crashPoint(point: CrashPoint): void;
}

/** What one sweep did, in runs. */
export interface Sweep {
  /** Back in the queue. */
  requeued: number;
  /** Ended, because a write is in doubt or all tries are used up. */
  deadLettered: number;
  /** Moved by somebody else first. */
  skipped: number;
  /** Claims of a worker that is gone while one of its tool children still ends a write: looked at again. */
  lingering: number;
}

/** Proof files of the dead are kept this long, so that a starting worker's file is never taken away before it is locked. */
const KEEP_FILES_MS = 3_600_000;

/**
 * Takes back the runs of workers that are proven dead: the locks of the worker and
 * of all its tool children are free. A worker that is stopped or slow holds its lock
 * and is never disturbed, however old its lease. Only a claim that cannot be probed
 * is judged by its lease. Oldest lease first, at most `limit` runs.
 * Source: architecture.md §2 "Proof of death"; runtime.md §10.
 */
export async function sweepDeadWorkers(ports: ReaperPorts, limit = Number.POSITIVE_INFINITY): Promise<Sweep> {
  const sweep: Sweep = { requeued: 0, deadLettered: 0, skipped: 0, lingering: 0 };
  const claims = await ports.store.runningClaims();
  const states = new Map<string, ReturnType<typeof stateOf>>();
  for (const claim of claims) {
    const state = states.get(claim.workerId) ?? stateOf(ports, claim.workerId);
    states.set(claim.workerId, state);
    if (sweep.requeued + sweep.deadLettered + sweep.skipped >= limit) break;
    if (state === 'alive') continue;
    if (state === 'ending') sweep.lingering += 1;
    else if (state === 'dead' || isLeaseOver(claim, ports.clock.nowMs()))
      sweep[await reclaim(ports, claim, state === 'dead' ? 'worker_died' : 'lease_over')] += 1;
  }
  removeOldProofs(ports, new Set(claims.map((claim) => claim.workerId)));
  return sweep;
}

function stateOf(ports: ReaperPorts, workerId: string): 'alive' | 'ending' | 'dead' | 'unprovable' {
  try {
    const own = probeAliveLock(join(ports.workersFolder, `${workerId}.alive`));
    if (own === 'held') return 'alive';
    if (own === 'missing') return 'unprovable';
    const children = proofFiles(ports).filter((name) => name.startsWith(`${workerId}.child-`));
    return children.some((name) => probeAliveLock(join(ports.workersFolder, name)) === 'held') ? 'ending' : 'dead';
  } catch (error) {
    // A damaged proof proves nothing, and must not keep the runs of all other workers from coming back.
    ports.report(error, `proof of worker ${workerId}`);
    return 'unprovable';
  }
}

/** Judged again inside the transaction; asked here so that a claim that is merely unprovable costs no write. */
const isLeaseOver = (claim: RunningClaim, nowMs: number): boolean => claim.leaseExpiresAtMs < nowMs;

async function reclaim(
  ports: ReaperPorts,
  claim: RunningClaim,
  cause: 'worker_died' | 'lease_over',
): Promise<'requeued' | 'deadLettered' | 'skipped'> {
  ports.crashPoint('before_reclaim');
  const result = await moveOne(ports, claim.runId, 'reclaim', { ownerToken: claim.ownerToken, cause });
  if (!result?.ok) return 'skipped';
  ports.crashPoint('after_reclaim');
  return result.value.status === 'queued' ? 'requeued' : 'deadLettered';
}

/**
 * Moves one of several runs. One that cannot be moved, because its row was changed outside, keeps no other waiting; null = that one.
 * A disk that fails is no run's fault and ends the sweep.
 */
async function moveOne<K extends TransitionKind>(
  { store, clock, report }: Pick<ReaperPorts, 'store' | 'clock' | 'report'>,
  runId: string,
  kind: K,
  input: TransitionInputs[K],
): Promise<Result<RunRecord> | null> {
  try {
    return await store.transition(runId, { kind, input, nowMs: clock.nowMs() });
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    report(error, `${kind} of run ${runId}`);
    return null;
  }
}

/** Ends waiting runs that nobody decided for as long as their configuration allows, oldest first; returns how many. Source: runtime.md D-19. */
export async function expireWaitingRuns(ports: Pick<ReaperPorts, 'store' | 'clock' | 'report'>): Promise<number> {
  const { store, clock } = ports;
  let expired = 0;
  for (const { id, settings } of await store.configurations()) {
    if (settings.decisionLimitMs === null) continue;
    for (const runId of await store.waitingSince(id, clock.nowMs() - settings.decisionLimitMs)) {
      if ((await moveOne(ports, runId, 'expire', {}))?.ok) expired += 1;
    }
  }
  return expired;
}

/** Says of waiting runs that they will expire soon, once in each pause; returns of how many. Source: issue E "reminder before". */
export async function remindOfWaitingRuns(ports: Pick<ReaperPorts, 'store' | 'clock' | 'report'>): Promise<number> {
  const { store, clock } = ports;
  let reminded = 0;
  for (const { id, settings } of await store.configurations()) {
    if (settings.decisionLimitMs === null) continue;
    const lapsedMs = clock.nowMs() - settings.decisionLimitMs;
    const untilMs = lapsedMs + reminderLeadMs(settings.decisionLimitMs);
    for (const runId of await store.unremindedRuns(id, lapsedMs, untilMs)) {
      if ((await moveOne(ports, runId, 'remind', {}))?.ok) reminded += 1;
    }
  }
  return reminded;
}

/** Claims whose worker is not provably alive and whose run somebody should take back; for whoever only looks. */
export async function staleClaims(ports: ReaperPorts): Promise<RunningClaim[]> {
  const claims = await ports.store.runningClaims();
  return claims.filter((claim) => {
    const state = stateOf(ports, claim.workerId);
    return state === 'dead' || (state === 'unprovable' && isLeaseOver(claim, ports.clock.nowMs()));
  });
}

const proofFiles = (ports: Pick<ReaperPorts, 'workersFolder'>): string[] =>
  readdirSync(ports.workersFolder).filter((name) => name.endsWith('.alive'));

/** Whether any worker of this installation is alive right now, proven by its lock: a heartbeat outlives its worker by minutes. */
export function hasLivingWorker(ports: Pick<ReaperPorts, 'workersFolder'>): boolean {
  return proofFiles(ports).some(
    (name) => !name.includes('.child-') && probeAliveLock(join(ports.workersFolder, name)) === 'held',
  );
}

/** Housekeeping; a file that cannot be removed now is removed another time. */
function removeOldProofs(ports: ReaperPorts, claimants: Set<string>): void {
  for (const name of proofFiles(ports)) {
    const path = join(ports.workersFolder, name);
    try {
      const isRecent = ports.clock.nowMs() - statSync(path).mtimeMs < KEEP_FILES_MS;
      if (isRecent || claimants.has(name.split('.')[0] ?? '')) continue;
      if (probeAliveLock(path) === 'free') unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') ports.report(error, 'proof files');
    }
  }
}

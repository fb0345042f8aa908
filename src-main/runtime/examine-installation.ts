import type { Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { isTerminal, isWaiting, type RunRecord } from '../domain/run.ts';
import { OtherFormError } from '../domain/sealed-faults.ts';
import type { RunningClaim, RunStore } from '../store/run-store.ts';

/** What may be wrong, or worth knowing, about an installation. */
export type FindingKind =
  | 'chain'
  | 'inbox_mismatch'
  | 'unreadable'
  | 'other_form'
  | 'stale_claim'
  | 'uncertain_write'
  | 'overdue'
  | 'paused'
  | 'restored'
  | 'low_disk';

/** One finding; `runId` '' = about the installation as a whole. Facts only, never values of a run. */
export interface Finding {
  kind: FindingKind;
  runId: string;
  facts: Record<string, string | number>;
}

export interface ExaminerPorts {
  store: RunStore;
  clock: Clock;
  /** Claims whose worker is not there any more. */
  staleClaims(): Promise<RunningClaim[]>;
  /** Whether any worker could take a run now. */
  hasWorker(): boolean;
  /** Problems of the audit chain. */
  chainProblems(): { where: string; problem: string }[];
  freeMegabytes(): number;
  floorMegabytes: number;
}

/** A due run that nobody took for this long although a worker lives. */
const OVERDUE_MS = 300_000;
/** Living runs of each kind that are looked into; more of them are said to be there. */
const MOST_RUNS = 10_000;

/**
 * Looks whether everything that must agree agrees: waiting rows, inbox and counts; the
 * sealed parts of every living run; claims and their workers; the chain; the disk.
 * Changes nothing.
 * Source: issue C "doctor"; peers.md T-08, T-11; runtime.md D-09, D-15.
 */
export async function examineInstallation(ports: ExaminerPorts): Promise<Finding[]> {
  const { store, clock } = ports;
  const living = await livingRuns(store);
  const stale = await ports.staleClaims();
  const pause = await store.pause();
  const restored = await store.restoredRuns();
  const free = ports.freeMegabytes();
  const overdue = ports.hasWorker() && !pause.isPaused ? living.filter((run) => isOverdue(run, clock.nowMs())) : [];
  return [
    ...ports.chainProblems().map(({ where, problem }) => finding('chain', '', { where, problem })),
    ...(await inboxMismatches(store)),
    ...(await unreadableRuns(store, living)),
    ...stale.map(({ runId, workerId }) => finding('stale_claim', runId, { workerId })),
    ...(await store.uncertainWrites()).map(({ runId, callId, toolName, cause }) =>
      finding('uncertain_write', runId, { callId, toolName, cause }),
    ),
    ...overdue.map((run) => finding('overdue', run.id, { dueSinceMs: run.nextAttemptAtMs })),
    ...(pause.isPaused ? [finding('paused', '', { operatorId: pause.operatorId, sinceMs: pause.atMs })] : []),
    ...(restored.length > 0 ? [finding('restored', '', { runs: restored.length })] : []),
    ...(free <= ports.floorMegabytes ? [finding('low_disk', '', { freeMb: free, floorMb: ports.floorMegabytes })] : []),
  ];
}

const finding = (kind: FindingKind, runId: string, facts: Finding['facts']): Finding => ({ kind, runId, facts });

async function livingRuns(store: RunStore): Promise<RunRecord[]> {
  const all = { ownerId: null, limit: MOST_RUNS };
  return [...(await store.waitingRuns(all)), ...(await store.activeRuns(all))];
}

/** Waiting rows, the inbox and the figure on the badge are three questions to one table; they must be one answer (T-11). */
async function inboxMismatches(store: RunStore): Promise<Finding[]> {
  const counts = await store.countByStatus();
  const counted = counts.waiting_for_approval + counts.waiting_for_input;
  const listed = await store.waitingRuns({ ownerId: null, limit: MOST_RUNS });
  const strangers = listed.filter((run) => !isWaiting(run.status));
  const isSame = counted === listed.length || listed.length === MOST_RUNS;
  return [
    ...(isSame ? [] : [finding('inbox_mismatch', '', { counted, listed: listed.length })]),
    ...strangers.map((run) => finding('inbox_mismatch', run.id, { status: run.status })),
  ];
}

/**
 * Runs a part of which cannot be opened, one finding each; one such run keeps no other from being looked at. What has
 * the form of another release is whole, and nothing to give up.
 */
async function unreadableRuns(store: RunStore, living: RunRecord[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id } of living) {
    // Looked at anew: since the list was made, and the chain was checked, runs went on and ended.
    const run = await store.run(id);
    if (!run || isTerminal(run.status) || run.status === 'running') continue;
    for (const [part, open] of partsOf(store, run)) {
      const kind = await problemOf(open);
      if (!kind) continue;
      if ((await store.run(id))?.lastSequence === run.lastSequence)
        findings.push(finding(kind, id, { part, status: run.status, sequence: run.lastSequence }));
      break;
    }
  }
  return findings;
}

function partsOf(store: RunStore, run: RunRecord): [name: string, open: () => Promise<unknown>][] {
  const parts: [string, () => Promise<unknown>][] = [
    ['request', () => store.request(run.id)],
    ['transcript', () => store.transcript(run.id)],
  ];
  if (isWaiting(run.status) || run.decisionNumber > 0) parts.push(['turn', () => store.pendingTurn(run.id)]);
  if (run.decisionNumber > 0) parts.push(['decision', () => store.decision(run.id, run.decisionNumber)]);
  return parts;
}

/** Missing or not to be opened: for a run that needs the part it is the same. */
async function problemOf(open: () => Promise<unknown>): Promise<'unreadable' | 'other_form' | null> {
  try {
    return (await open()) === null ? 'unreadable' : null;
  } catch (error) {
    // A disk that cannot be read says nothing about what is stored.
    if (error instanceof Error && 'code' in error) throw error;
    return error instanceof OtherFormError ? 'other_form' : 'unreadable';
  }
}

const isOverdue = (run: RunRecord, nowMs: number): boolean =>
  run.status === 'queued' && run.hold === '' && nowMs - Math.max(run.nextAttemptAtMs, run.notBeforeAtMs) > OVERDUE_MS;

/** What `repairInstallation` did, by kind, in runs. */
export interface Repairs {
  requeued: number;
  deadLettered: number;
  settledUnreadable: number;
}

/**
 * Repairs what can be repaired without a person's judgement of the target: takes back the
 * runs of dead workers and ends the runs that cannot be read. Kept in the record.
 * Refuses (null): the actor is no administrator. Uncertain writes stay: only who looked may settle them.
 */
export async function repairInstallation(
  ports: Pick<ExaminerPorts, 'store' | 'clock'>,
  actor: Actor,
  findings: Finding[],
  sweep: () => Promise<{ requeued: number; deadLettered: number }>,
): Promise<Repairs | null> {
  const { store, clock } = ports;
  const nothing: Repairs = { requeued: 0, deadLettered: 0, settledUnreadable: 0 };
  const announced = await store.recordRepair({ actor, repairs: { found: findings.length } }, clock.nowMs());
  if (!announced.ok) return null;
  const repairs = { ...nothing, ...(await sweep()) };
  for (const { runId, facts } of findings.filter(({ kind }) => kind === 'unreadable')) {
    const settled = await store.transition(runId, {
      kind: 'settle_unreadable',
      input: { actor, lastSequence: Number(facts.sequence) },
      nowMs: clock.nowMs(),
    });
    if (settled.ok) repairs.settledUnreadable += 1;
  }
  return repairs;
}

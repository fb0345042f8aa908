import type { Result } from '../../src-shared/refusals.ts';
import type { Ownership } from '../domain/ownership-rules.ts';
import type { RunRecord } from '../domain/run.ts';
import type { RecordStepInput } from '../domain/segment-rules.ts';
import type { TransitionInputs, TransitionKind } from '../domain/transitions.ts';
import type { CrashPoint } from './crash-points.ts';
import type { SegmentPorts } from './segment-ports.ts';

/** Transitions guarded by the segment's own claim. */
export type OwnedKind = Extract<
  TransitionKind,
  'record_step' | 'renew_lease' | 'stamp_fence' | 'release_claim' | 'suspend' | 'bounce' | 'complete' | 'fail'
>;

/** What lies before and after the commit of a transition. The three kinds of step are told apart where they are recorded. */
const BOUNDARIES = {
  suspend: ['before_suspend', 'after_suspend'],
  bounce: ['before_bounce', 'after_bounce'],
  stamp_fence: ['before_fence', 'after_fence_before_effect'],
  complete: ['before_settle', 'after_settle'],
  fail: ['before_settle', 'after_settle'],
  release_claim: ['before_settle', 'after_settle'],
} as const satisfies Partial<Record<OwnedKind, readonly [before: CrashPoint, after: CrashPoint]>>;

const isBounded = (kind: OwnedKind): kind is keyof typeof BOUNDARIES => Object.hasOwn(BOUNDARIES, kind);

/** One transition under a claim. */
export async function moveOwned<K extends OwnedKind>(
  ports: Pick<SegmentPorts, 'store' | 'clock' | 'report' | 'crashPoint'>,
  run: RunRecord,
  kind: K,
  input: Omit<TransitionInputs[K], 'ownerToken' | 'attempt'>,
): Promise<Result<RunRecord>> {
  const { ownerToken, attempt } = run;
  const boundary = isBounded(kind) ? BOUNDARIES[kind] : null;
  if (boundary) ports.crashPoint(boundary[0]);
  const result = await storePatiently(ports, run.id, kind, { ...input, ownerToken, attempt } as TransitionInputs[K]);
  if (boundary && result.ok) ports.crashPoint(boundary[1]);
  return result;
}

/**
 * A transition that waits for a locked database, however long: what happened must be
 * stored. Giving up, even after the lease, would leave the row running under a worker
 * that lives, and such a row nobody may take back. Whether the run is still ours is
 * the transition's own question.
 */
export function storePatiently<K extends TransitionKind>(
  ports: Pick<SegmentPorts, 'store' | 'clock' | 'report'>,
  runId: string,
  kind: K,
  input: TransitionInputs[K],
): Promise<Result<RunRecord>> {
  return whileLocked(ports, runId, (nowMs) => ports.store.transition(runId, { kind, input, nowMs }));
}

/** A step and the move it leads to, under a claim and in one transaction. */
export async function moveOwnedPair<K extends 'suspend' | 'complete'>(
  ports: Pick<SegmentPorts, 'store' | 'clock' | 'report' | 'crashPoint'>,
  run: RunRecord,
  step: Omit<RecordStepInput, keyof Ownership>,
  kind: K,
  input: Omit<TransitionInputs[K], keyof Ownership>,
): Promise<Result<RunRecord>> {
  const { ownerToken, attempt } = run;
  const second = { ...input, ownerToken, attempt } as TransitionInputs[K];
  const [before, after] = BOUNDARIES[kind];
  ports.crashPoint(before);
  const result = await whileLocked(ports, run.id, (nowMs) =>
    ports.store.transitionPair(
      run.id,
      { kind: 'record_step', input: { ...step, ownerToken, attempt }, nowMs },
      { kind, input: second, nowMs },
    ),
  );
  if (result.ok) ports.crashPoint(after);
  return result;
}

async function whileLocked(
  { clock, report }: Pick<SegmentPorts, 'clock' | 'report'>,
  runId: string,
  store: (nowMs: number) => Promise<Result<RunRecord>>,
): Promise<Result<RunRecord>> {
  for (;;) {
    const result = await store(clock.nowMs());
    if (result.ok || result.refusal.kind !== 'store_busy') return result;
    report(new Error(`The database is locked by another process for ${result.refusal.waitedMs} ms.`), `run ${runId}`);
  }
}

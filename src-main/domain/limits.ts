/*
 * Constants of the life cycle. Values are the specification's (runtime.md §2)
 * unless the line says why they differ.
 */

/** How long a claim holds without renewal. Renewed at every step and every LEASE_RENEWAL_MS in between. */
export const LEASE_MS = 900_000;
/** A fifteenth of the lease: a stalled event loop may miss several renewals before the lease is in danger. */
export const LEASE_RENEWAL_MS = 60_000;

export const MAX_REQUEUES = 3;
const REQUEUE_BASE_MS = 30_000;
const REQUEUE_CAP_MS = 600_000;

/** Wait before try number `priorRequeues + 2`: 30 s, 60 s, 120 s, never above 600 s. */
export function requeueDelayMs(priorRequeues: number): number {
  return Math.min(REQUEUE_BASE_MS * 2 ** priorRequeues, REQUEUE_CAP_MS);
}

const OFFLINE_BASE_MS = 5_000;
const OFFLINE_CAP_MS = 600_000;

/** Wait before an unreachable endpoint is tried again: 5 s, doubling to 10 min (architecture.md §5a "Offline is not failure"). */
export function offlineDelayMs(previousDelayMs: number): number {
  return previousDelayMs <= 0 ? OFFLINE_BASE_MS : Math.min(previousDelayMs * 2, OFFLINE_CAP_MS);
}

/** How long an unreachable endpoint is waited for, unless the configuration says otherwise (architecture.md §5a). */
export const OFFLINE_LIMIT_MS = 7 * 86_400_000;

/** A turn of more calls is answered without executing any of them; bounds a hostile answer. */
export const MAX_CALLS_PER_TURN = 64;

/** An answer of more calls is none: to answer each of them would take days. */
export const MAX_CALLS_IN_ANSWER = 1_000;

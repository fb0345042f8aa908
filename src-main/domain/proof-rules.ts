import type { FieldProblem } from '../../src-shared/refusals.ts';

/** What a passphrase is compared with: scrypt with the parameters it was made with; salt and hash in base64. */
export interface Proof {
  v: 1;
  cost: number;
  blockSize: number;
  parallelization: number;
  salt: string;
  hash: string;
}

const MINUTE_MS = 60_000;
const MOST_FAILURES = 5;
const WITHIN_MS = 15 * MINUTE_MS;
const BLOCKED_MS = 15 * MINUTE_MS;
/** For how long a failure counts: the oldest of five that were too many stays until the name may try again. */
export const REMEMBERED_MS = WITHIN_MS + BLOCKED_MS;
/** Failures of all names together: it bounds the table, and the events of failures with it. */
export const MOST_REMEMBERED = 1_000;

const MIN_PASSPHRASE = 8;
const MAX_PASSPHRASE = 1_024;

/**
 * For how many milliseconds a name may not try; 0 = it may. `failedAtMs` are the times at which proofs of this name failed, the
 * oldest first, `remembered` is how many of all names there are. Names that nobody has are counted like any other, so
 * that a wait says nothing of who is here. A time that is still to come was counted by a clock that has been set back: it says nothing.
 */
export function waitBeforeProof(failedAtMs: readonly number[], remembered: number, nowMs: number): number {
  if (remembered >= MOST_REMEMBERED) return BLOCKED_MS;
  const last = failedAtMs.filter((atMs) => atMs <= nowMs).slice(-MOST_FAILURES);
  const [first = 0, newest = 0] = [last[0], last.at(-1)];
  if (last.length < MOST_FAILURES || newest - first > WITHIN_MS) return 0;
  return Math.max(0, newest + BLOCKED_MS - nowMs);
}

/** One passphrase for everything that is typed alike. */
export const samePassphrase = (text: string): string => text.normalize('NFC');

/** Why this is no passphrase for a person. */
export function passphraseProblems(passphrase: string): FieldProblem[] {
  const length = Array.from(samePassphrase(passphrase)).length;
  if (length < MIN_PASSPHRASE) return [{ field: 'passphrase', problem: 'too_short', limit: MIN_PASSPHRASE }];
  if (length > MAX_PASSPHRASE) return [{ field: 'passphrase', problem: 'too_long', limit: MAX_PASSPHRASE }];
  return [];
}

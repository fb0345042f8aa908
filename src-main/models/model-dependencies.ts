/*
 * This folder: one adapter per kind of model, behind the port in
 * domain/model-client.ts. An adapter asks, streams the answer and classifies its
 * failures. It does not retry, does not run tools and does not judge a call:
 * those rules have one home each, elsewhere.
 */

/** What adapters may not make up themselves (architecture.md §1, rule 6). */
export interface ModelDependencies {
  /** A fresh id, for a call that a provider sent without one. */
  newId: () => string;
  /** Milliseconds since the epoch, UTC. Only used to read a `Retry-After` that names a date. */
  nowMs: () => number;
  /** Runs `onElapsed` once after `delayMs` unless the returned function is called before. */
  startTimer: (delayMs: number, onElapsed: () => void) => () => void;
}

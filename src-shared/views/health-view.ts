import { Type, type Static } from 'typebox';

/** How queue and workers are doing: counts and times, no payload, no person. */
export const HealthView = Type.Object({
  queued: Type.Integer(),
  running: Type.Integer(),
  waiting: Type.Integer(),
  /** Since when the longest waiting run waits for a person; 0 = none does. */
  oldestWaitingSinceMs: Type.Integer(),
  workers: Type.Array(
    Type.Object({ state: Type.Enum(['starting', 'ready', 'restarting', 'stopped']), restarts: Type.Integer() }),
  ),
  /** Since when and by whom everything is paused; null = nothing is. `byName` '' = somebody who is gone. */
  paused: Type.Union([Type.Object({ sinceMs: Type.Integer(), byName: Type.String() }), Type.Null()]),
  /** Runs that are held because the database was put back from a copy. */
  restored: Type.Integer(),
  /** So little of the disk is free that no run is taken. */
  isDiskLow: Type.Boolean(),
  /** When a worker last ended unexpectedly; 0 = never since the host started. */
  lastWorkerEndAtMs: Type.Integer(),
});
export type HealthView = Static<typeof HealthView>;

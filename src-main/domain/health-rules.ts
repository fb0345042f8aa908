/** What `status` compares. */
interface HealthFacts {
  expiredLeases: number;
  unknownQueueWait: number;
  /** Null when nothing is queued with a known time. */
  oldestQueueWaitSeconds: number | null;
  liveWorkers: number;
}

export interface HealthLimits {
  maxWaitSeconds: number;
  minWorkers: number;
}

/** Limits when nobody names others; a worker not seen for `maxAgeSeconds` is not counted. Source: runtime.md §2. */
export const HEALTH_DEFAULTS = { maxWaitSeconds: 300, minWorkers: 1, maxAgeSeconds: 120 } as const;

/** Dead letters alone do not make an installation unhealthy: they are settled, and a person looks. Source: runtime.md §20. */
export const isHealthy = (facts: HealthFacts, limits: HealthLimits): boolean =>
  facts.expiredLeases === 0 &&
  facts.unknownQueueWait === 0 &&
  (facts.oldestQueueWaitSeconds === null || facts.oldestQueueWaitSeconds <= limits.maxWaitSeconds) &&
  facts.liveWorkers >= limits.minWorkers;

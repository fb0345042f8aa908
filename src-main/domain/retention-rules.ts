import { refused, accepted, type Result } from '../../src-shared/refusals.ts';
import { isAdministrator, operatorIdOf, type Actor, type Operator } from './actor.ts';

const DAY_MS = 86_400_000;
/** Where nothing is set. Source: runtime.md §21. */
const DEFAULT_DAYS = 30;

/** For how long something is kept, as set in the environment; text, because what is no number counts as not set. */
export interface RetentionSettings {
  /** Everything that has no window of its own. */
  all: string | null;
  ended: string | null;
  uncertain: string | null;
}

/** Moments before which something goes; epoch milliseconds. */
export interface PurgeLimits {
  /** Runs that ended before. */
  endedBeforeMs: number;
  /** A run stays as long as a write of it was in doubt after this, or still is. */
  uncertainBeforeMs: number;
}

const daysOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;

/**
 * What goes now. A window is what was asked for, else the one of its category, else the one for all, else 30 days; a setting
 * that is no whole number from 1 on is passed over. Counted from the end of a run, not from its start: one that paused
 * for a month and ended today is as fresh as any. Waiting runs are never purged: their configuration says when they expire.
 * Source: runtime.md §21, D-19; human-decisions.md LIM-42.
 */
export function purgeLimits(askedDays: number | null, settings: RetentionSettings, nowMs: number): PurgeLimits {
  const before = (category: string | null): number =>
    nowMs - (askedDays ?? daysOf(category) ?? daysOf(settings.all) ?? DEFAULT_DAYS) * DAY_MS;
  return {
    endedBeforeMs: before(settings.ended),
    uncertainBeforeMs: before(settings.uncertain),
  };
}

export interface PurgeInput {
  actor: Actor;
  limits: PurgeLimits;
  /** At most so many runs, in one transaction. */
  limit: number;
}

/** What a purge would take away, or a chunk of one took. */
export interface Purged {
  runs: number;
  events: number;
}

export interface PurgePreview extends Purged {
  /** When the first and the last of them ended; 0 = there is none. */
  oldestMs: number;
  newestMs: number;
  /** Content of their rows, without what SQLite adds. */
  bytes: number;
  /** Waiting runs that are past the limit of their configuration: they expire, which is an end with an event. */
  expiring: number;
}

/** Only an administrator has runs deleted; a rule of its own because it is about no single run. Refuses: not_administrator. */
export function judgePurge(operator: Operator | null, actor: Actor): Result<number> {
  const isAllowed = isAdministrator(operator) && operator.id === operatorIdOf(actor);
  return isAllowed ? accepted(operator.id) : refused({ kind: 'not_administrator' });
}

import { DISK_FLOOR_MB } from './free-space.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import { wholeNumber } from './whole-number.ts';

/** The value of an environment variable, or null when it is not set or empty. The only place that reads the environment by name. */
export function environmentVariable(name: string): string | null {
  return process.env[name] || null;
}

/** For how many days what has ended is kept: COUNTERSIGN_KEEP_DAYS, and one variable for each category. As text: domain/retention-rules.ts judges it. */
export const retentionSettings = (): { all: string | null; ended: string | null; uncertain: string | null } => ({
  all: environmentVariable('COUNTERSIGN_KEEP_DAYS'),
  ended: environmentVariable('COUNTERSIGN_KEEP_ENDED_DAYS'),
  uncertain: environmentVariable('COUNTERSIGN_KEEP_UNCERTAIN_DAYS'),
});

/** How little free space, in mebibytes, stops new work: COUNTERSIGN_DISK_FLOOR_MB, else 200. Faults: when it is no whole number. */
export function diskFloorMb(): number {
  const text = environmentVariable('COUNTERSIGN_DISK_FLOOR_MB');
  if (text === null) return DISK_FLOOR_MB;
  const value = wholeNumber(text, 0, Number.MAX_SAFE_INTEGER);
  if (value === null) throw new Error('COUNTERSIGN_DISK_FLOOR_MB must be a whole number of mebibytes.');
  return value;
}

/** From which level on the log keeps entries: COUNTERSIGN_LOG_LEVEL, else `warn`. Faults: when it is no level. */
export function logLevel(): LogLevel {
  const text = environmentVariable('COUNTERSIGN_LOG_LEVEL') ?? 'warn';
  const level = LOG_LEVELS.find((known) => known === text);
  if (!level) throw new Error(`COUNTERSIGN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  return level;
}

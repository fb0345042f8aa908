/** Times as people read them. The present moment comes in as an argument; `use-now.ts` has it. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something has lasted, in its largest unit, e.g. `4 min`. A moment in the future counts as now. */
export function ageWords(language: string, sinceMs: number, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - sinceMs);
  const [unit, unitMs] =
    ageMs < MINUTE_MS
      ? (['second', 1_000] as const)
      : ageMs < HOUR_MS
        ? (['minute', MINUTE_MS] as const)
        : ageMs < DAY_MS
          ? (['hour', HOUR_MS] as const)
          : (['day', DAY_MS] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(ageMs / unitMs),
  );
}

/** A moment in local time: the time alone today, with the date before. */
export function momentWords(language: string, atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return new Intl.DateTimeFormat(language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'medium',
  }).format(atMs);
}

/** A duration of a step, e.g. `320 ms`, `4.2 s`. */
export function durationWords(language: string, durationMs: number): string {
  const inSeconds = durationMs >= 1_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: inSeconds ? 'second' : 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: inSeconds ? 1 : 0,
  }).format(inSeconds ? durationMs / 1_000 : durationMs);
}

/** A figure as the report shows it: three significant digits are more than a busy machine can promise. */
export const rounded = (value: number): number => Number(value.toPrecision(3));

/** The value below which a share (0 to 1) of the values lies; null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : rounded(value);
}

/** p50, p95 and p99 of times in milliseconds. */
export function spread(values: readonly number[]): Record<'count' | 'p50' | 'p95' | 'p99', number | null> {
  return {
    count: values.length,
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  };
}

/** Middle, least and most of a figure that was measured once a round. */
export function overRounds(values: readonly number[]): { median: number; least: number; most: number } {
  return {
    median: percentile(values, 0.5) ?? 0,
    least: rounded(Math.min(...values)),
    most: rounded(Math.max(...values)),
  };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

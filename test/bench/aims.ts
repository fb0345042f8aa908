/** A figure beside what it should be. A plain comparison: it fails nothing. */
export interface Aim {
  aim: string;
  measured: number | null;
  isMet: boolean | null;
}

type Figures = Record<string, unknown>;

/** What the bench should show, as far as the parts that were measured tell. */
export function compareAims(parts: Figures): Aim[] {
  const ratio = (shape: string): number | null => numberAt(parts, ['topologies', shape, 'ratioToBare', 'median']);
  return [
    atLeast('1x1 reaches 0.6 of the bare figure', ratio('1x1'), 0.6),
    atLeast('1x32 reaches 4 times the bare figure', ratio('1x32'), 4),
    atLeast('2x4 reaches 1.5 times the bare figure', ratio('2x4'), 1.5),
    atMost(
      'decision to first step takes at most 50 ms, p95',
      numberAt(parts, ['decisions', 'toFirstStepMs', 'p95']),
      50,
    ),
    atMost(
      'a decision waits at most 100 ms for a purge of another process',
      numberAt(parts, ['purge', 'decisionMs', 'longest']),
      100,
    ),
    atMost('a cycle of 1x1 takes at most 8 fsyncs', numberAt(parts, ['topologies', '1x1', 'fsyncsPerCycle']), 8),
  ].filter(({ measured }) => measured !== null);
}

const atLeast = (aim: string, measured: number | null, limit: number): Aim => ({
  aim,
  measured,
  isMet: measured === null ? null : measured >= limit,
});

export const atMost = (aim: string, measured: number | null, limit: number): Aim => ({
  aim,
  measured,
  isMet: measured === null ? null : measured <= limit,
});

/** A number somewhere inside; null when the part was not measured or could not be. */
function numberAt(figures: Figures, path: string[]): number | null {
  let value: unknown = figures;
  for (const name of path) value = typeof value === 'object' && value !== null ? (value as Figures)[name] : undefined;
  return typeof value === 'number' ? value : null;
}

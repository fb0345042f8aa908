const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** When a run that waits ends by itself, in the largest unit that fits; '' = never. */
export function expiryWords(expiresAtMs: number, nowMs: number): string {
  if (expiresAtMs === 0) return '';
  const leftMs = expiresAtMs - nowMs;
  const [unitMs, unit] = UNITS.find(([ms]) => leftMs >= ms) ?? [1_000, 's'];
  return leftMs > 0 ? `expires in ${Math.floor(leftMs / unitMs)} ${unit}` : 'expires now';
}

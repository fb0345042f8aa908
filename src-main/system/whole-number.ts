/** A whole number written in plain digits within bounds; null for anything else, e.g. `-1`, `1.5`, `1e3` or ``. */
export function wholeNumber(text: string, minimum: number, maximum: number): number | null {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : null;
}

/**
 * Seconds a `Retry-After` header asks to wait: a whole number of seconds or an
 * HTTP date, which is compared with `nowMs` and rounded up, never below 0.
 * Null when the header is absent or says neither.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // `Date.parse` also takes bare numbers and other forms that no server means as a date.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

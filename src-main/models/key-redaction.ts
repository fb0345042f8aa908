const PLACEHOLDER = '[key removed]';

/**
 * Takes every spelling of the key out of a foreign text: plain, percent-encoded,
 * base64 and base64url. Providers echo headers, and Node's errors quote values.
 * Redact before cutting a text short, so that no part of a key is left at the edge.
 */
export function redactKey(text: string, apiKey: string | null): string {
  if (!apiKey) return text;
  const bytes = Buffer.from(apiKey);
  const spellings = [apiKey, encodeURIComponent(apiKey), bytes.toString('base64'), bytes.toString('base64url')];
  const longestFirst = [...new Set(spellings)].toSorted((left, right) => right.length - left.length);
  return longestFirst.reduce((redacted, spelling) => redacted.replaceAll(spelling, PLACEHOLDER), text);
}

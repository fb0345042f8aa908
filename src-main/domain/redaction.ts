import type { JsonValue } from './json-value.ts';

/*
 * What is a secret or a person wherever it stands: by its own shape, or by the name it
 * is given. Every pattern is bounded, so that a long text costs time in proportion to
 * its length. Masking too much is allowed here, masking too little is not.
 */

const MAX_REDACTED_LENGTH = 2_000;

/** What names a secret, in whichever style it is written: `db_password`, `X-Api-Key`, `clientSecret`. */
const TELLING =
  'pass(?:word|wd|phrase|code)|pwd|secret|token|credential|authorization|cookie|(?:api|access|private|secret|signing|account|encryption)[_-]?key';

/** Counts of tokens are figures, not tokens. */
const COUNTED = /tokens$/i;

const TELLING_NAME = new RegExp(TELLING, 'i');
const KEY_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;

/** Prefixes that providers give their keys so that they are recognised. */
const KEY_SHAPES = [
  '(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|hf|gsk|xai|pplx|npm|pypi|whsec|dop_v1|shpat|xapp|xox[abeoprs])[-_][A-Za-z0-9_-]{12,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{30,}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
  'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
].join('|');

/** Between a name and its value, also inside JSON inside JSON. */
const BETWEEN = `[\\w-]{0,40}\\\\{0,8}["']?[^\\S\\r\\n]{0,8}(?:=>|[:=])[^\\S\\r\\n]{0,8}`;
const SCHEME = '(?:(?:Bearer|Basic|Digest|Token|Negotiate)\\s+)?';

const SHAPES: readonly [RegExp, string][] = [
  [KEY_BLOCK, '[secret]'],
  [/\b([a-z][a-z0-9+.-]{1,20}):\/\/[^\s/"'<>\\]{1,1024}@/gi, '$1://[credentials]@'],
  [new RegExp(`(?<![A-Za-z0-9])(?:${KEY_SHAPES})`, 'g'), '[secret]'],
  // A header goes on to the end of its line: cookies and schemes hold blanks and semicolons.
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)(\s{0,8}:\s{0,8})[^\r\n"'\\]+/gi, '$1$2[secret]'],
  [new RegExp(`((?:${TELLING})${BETWEEN})(\\\\{0,8}["'])(?:\\\\\\2|(?!\\2)[^\\r\\n])+`, 'gi'), '$1$2[secret]'],
  [new RegExp(`((?:${TELLING})${BETWEEN}|--(?:${TELLING})\\s+)${SCHEME}[^\\s"'\\\\,;&)}\\]]+`, 'gi'), '$1[secret]'],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, 'Bearer [secret]'],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}\.\p{L}{2,24}/gu, '[e-mail]'],
];

/** The text without what is recognised as a secret or a mail address, cut to 2 000 characters. Source: runtime.md §14.3. */
export function redactText(text: string): string {
  let masked = text;
  for (const [shape, replacement] of SHAPES) masked = masked.replace(shape, replacement);
  if (masked.length <= MAX_REDACTED_LENGTH) return masked;
  // toWellFormed: the cut may fall inside a surrogate pair, which could not be stored.
  return `${masked.slice(0, MAX_REDACTED_LENGTH)}… (cut at ${MAX_REDACTED_LENGTH} characters)`.toWellFormed();
}

/** Every text of a value redacted, and whatever stands under a telling name masked whole. */
export function redactValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  const isTelling = namesSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      redactText(key),
      isTelling(key, inner) ? maskWhole(inner) : redactValue(inner),
    ]),
  );
}

/** Names under which a list of fields or headers keeps the name of each, and its value. */
const PAIR_NAMES = ['name', 'key', 'field', 'column', 'header'];
const PAIR_VALUES = ['value', 'content'];

/** Which members of an object are secret: those with a telling name, and the value of a pair whose name is one. */
function namesSecret(object: { [key: string]: JsonValue }): (key: string, inner: JsonValue) => boolean {
  const isSecretPair = PAIR_NAMES.some((name) => {
    const told = Object.hasOwn(object, name) ? object[name] : undefined;
    return typeof told === 'string' && TELLING_NAME.test(told);
  });
  return (key, inner) =>
    (TELLING_NAME.test(key) && !(COUNTED.test(key) && typeof inner === 'number')) ||
    (isSecretPair && PAIR_VALUES.includes(key));
}

/** Keeps shape, truth values and null: nobody's secret is `true`. */
function maskWhole(value: JsonValue): JsonValue {
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskWhole);
  if (typeof value !== 'object') return '[secret]';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redactText(key), maskWhole(inner)]));
}

import type { PrivacyLevel } from '../../src-shared/vocabulary.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** Payload keys that hold what people, models and tools said. Everything else is metadata. */
const CONTENT_KEYS = [
  'messagesSent',
  'content',
  'thinking',
  'requestedToolCalls',
  'toolArguments',
  'toolResult',
] as const;

/**
 * The stored form of a step's payload under a privacy level. `none`, `metadata` and
 * anything unknown keep counts and names only; `redacted` masks secrets and cuts
 * long text; `full` keeps everything. Sealed parts are not filtered: execution
 * needs them.
 * Source: runtime.md §14.3.
 */
export function filterPayload(payload: JsonObject, level: PrivacyLevel): JsonObject {
  if (level === 'full') return payload;
  if (level === 'redacted') return redactContent(payload);
  const kept: JsonObject = { ...payload, contentRedacted: true };
  for (const key of CONTENT_KEYS) {
    if (!(key in kept)) continue;
    Object.assign(kept, summary(key, kept[key] as JsonValue));
    delete kept[key];
  }
  return kept;
}

function summary(key: (typeof CONTENT_KEYS)[number], value: JsonValue): JsonObject {
  switch (key) {
    case 'messagesSent':
      return { messagesSentCount: Array.isArray(value) ? value.length : 0 };
    case 'content':
    case 'thinking':
    case 'toolResult':
      return { [`${key}Length`]: typeof value === 'string' ? value.length : 0 };
    case 'requestedToolCalls':
      return { requestedToolNames: Array.isArray(value) ? value.map(nameOf) : [] };
    case 'toolArguments':
      return {};
  }
}

const nameOf = (call: JsonValue): JsonValue =>
  typeof call === 'object' && call !== null && !Array.isArray(call) ? (call.name ?? '') : '';

function redactContent(payload: JsonObject): JsonObject {
  const kept: JsonObject = { ...payload };
  for (const key of CONTENT_KEYS) if (key in kept) kept[key] = redactValue(kept[key] as JsonValue);
  return kept;
}

function redactValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner)]));
}

const MAX_REDACTED_LENGTH = 2_000;

/** Shapes that are secrets or persons wherever they stand. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
  [/\b(https?|wss?|ftp):\/\/[^\s/@:]+:[^\s/@]+@/gi, '$1://[credentials]@'],
  [/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{12,}/g, '[secret]'],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, 'Bearer [secret]'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '[secret]'],
  [/\b(password|passwd|secret|token|api[_-]?key)(["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi, '$1$2[secret]'],
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g, '[e-mail]'],
];

function redactText(text: string): string {
  let masked = text;
  for (const [shape, replacement] of SECRET_SHAPES) masked = masked.replace(shape, replacement);
  if (masked.length <= MAX_REDACTED_LENGTH) return masked;
  // toWellFormed: the cut may fall inside a surrogate pair, which could not be stored.
  return `${masked.slice(0, MAX_REDACTED_LENGTH)}… (cut at ${MAX_REDACTED_LENGTH} characters)`.toWellFormed();
}

import type { PrivacyLevel } from '../../src-shared/vocabulary.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { redactValue } from './redaction.ts';

/** Payload keys that hold what people, models and tools said. Everything else is metadata. */
const CONTENT_KEYS = [
  'messagesSent',
  'content',
  'thinking',
  'requestedToolCalls',
  'raw',
  'toolArguments',
  'toolResult',
  'toolArtifacts',
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
      return { requestedToolNames: memberOfEach(value, 'name') };
    case 'toolArtifacts':
      return {
        toolArtifactsCount: Array.isArray(value) ? value.length : 0,
        toolArtifactTypes: memberOfEach(value, 'type'),
      };
    case 'raw':
    case 'toolArguments':
      return {};
  }
}

/** One member of each object of a list; '' where there is none. */
const memberOfEach = (list: JsonValue, member: string): JsonValue[] =>
  Array.isArray(list)
    ? list.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? (item[member] ?? '') : '',
      )
    : [];

function redactContent(payload: JsonObject): JsonObject {
  const kept: JsonObject = { ...payload };
  for (const key of CONTENT_KEYS) if (key in kept) kept[key] = redactValue(kept[key] as JsonValue);
  return kept;
}

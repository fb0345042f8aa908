import type { RunStatus, StatusGroup } from '../../src-shared/vocabulary.ts';
import { withoutInvisible } from '../../src-shared/plain-text.ts';
import { describeTarget, type WriteTarget } from '../../src-shared/write-target.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isTerminal, isWaiting, type EventDraft, type RunRequest } from './run.ts';
import type { RunChange } from './run-change.ts';

/** What a run can be found by once it is known. */
export interface SearchNames {
  tools: string[];
  targets: string[];
}

/** UTF-16 units of one name and of a prompt that are looked at; what is longer is found by its beginning. */
const MAX_NAME_LENGTH = 300;
const MAX_PROMPT_LENGTH = 4_000;

export function statusGroup(status: RunStatus): StatusGroup {
  if (isTerminal(status)) return 'ended';
  return isWaiting(status) ? 'needs_me' : 'active';
}

/** Tools and targets that a change of a run tells of, each once. */
export function namesOf({ events, pendingTurn }: RunChange): SearchNames {
  const calls = pendingTurn?.calls ?? [];
  const previews = pendingTurn?.previews ?? [];
  const targets = previews.flatMap(({ target }) => (target ? [describeTarget(target)] : []));
  return {
    tools: unique([...calls.map(({ name }) => name), ...events.flatMap(toolsOf)]),
    targets: unique([...targets, ...events.flatMap(targetsOf)]),
  };
}

function toolsOf({ kind, payload }: EventDraft): string[] {
  switch (kind) {
    case 'tool':
    case 'tool_write':
      return texts([payload.toolName]);
    case 'llm':
      // What a model asked for by name is kept at every level of privacy, in one form or the other.
      return [...texts(listOf(payload.requestedToolNames)), ...texts(listOf(payload.requestedToolCalls).map(nameOf))];
    default:
      return [];
  }
}

const targetsOf = ({ kind, payload }: EventDraft): string[] =>
  kind === 'tool_write' ? [describeTarget(payload.target as unknown as WriteTarget)] : [];

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const nameOf = (call: JsonValue): JsonValue => (call as JsonObject).name ?? '';
const texts = (values: (JsonValue | undefined)[]): string[] =>
  values.filter((value): value is string => typeof value === 'string');

const unique = (names: string[]): string[] => [
  ...new Set(names.map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed()).filter((name) => name !== '')),
];

/** What a person asked for, as far as it is looked at. */
export function promptOf(request: RunRequest | null | undefined): string {
  const asked = (request?.messages ?? []).flatMap((message) => (message.role === 'user' ? [message.content] : []));
  return searchText(asked.join('\n').slice(0, MAX_PROMPT_LENGTH));
}

/** Text as it is indexed: lines of what can be seen. */
export const searchText = (...lines: string[]): string => withoutInvisible(lines.join('\n'));

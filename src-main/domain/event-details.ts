import { describeTarget, type WriteTarget } from '../../src-shared/write-target.ts';
import type { EventKind } from '../../src-shared/vocabulary.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { filterPayload } from './privacy-filter.ts';
import type { RunEvent } from './run.ts';

/** What is told of an event beside its kind, time and round: words and figures, nothing within anything. */
export type EventDetails = Record<string, string | number | boolean>;

/**
 * What may be told of each kind of event, in the order in which it is told. What is not in here is never shown: neither
 * content, which a level `full` stores, nor what a later release adds to a payload and forgets here.
 * Source: human-decisions.md §15.4; R-181; LIM-36.
 */
const TOLD: Record<EventKind, readonly string[]> = {
  queued: ['configuration', 'mode', 'initiator', 'maxRounds'],
  attempt: ['segment', 'cause', 'requeueCount'],
  request: ['messagesSentCount', 'toolSpecs', 'toolsDenied', 'trustZone', 'zoneCeiling', 'contentRedacted'],
  llm: [
    'fallback',
    'model',
    'attempts',
    'finishReason',
    'requestedToolNames',
    'contentLength',
    'thinkingLength',
    'promptTokens',
    'completionTokens',
    'totalTokens',
    'costMicros',
    'contentRedacted',
  ],
  tool: [
    'toolName',
    'outcome',
    'refusal',
    'toolIsError',
    'toolResultLength',
    'toolArtifactsCount',
    'toolArtifactTypes',
    'recovered',
    'edited',
    'deniedBefore',
    'contentRedacted',
  ],
  tool_write: ['toolName', 'kind', 'target', 'completeness'],
  assembled: ['contentRedacted'],
  context: [
    'measured',
    'window',
    'reserve',
    'safety',
    'budget',
    'estimate',
    'remaining',
    'systemPrompt',
    'request',
    'transcript',
    'tools',
    'droppedMessages',
  ],
  dropped: ['droppedSources'],
  suspended: ['tools', 'questions', 'failedPreviews', 'previewRevision', 'previewDigest'],
  approval: [
    'approved',
    'decidedBy',
    'serviceAccount',
    'denialReason',
    'blind',
    'decisionNumber',
    'previewRevision',
    'turnDigest',
    'previewDigest',
  ],
  input: ['submittedBy', 'serviceAccount', 'questions', 'decisionNumber', 'previewRevision', 'turnDigest'],
  approval_bounced: ['decisionNumber', 'staleCallIndexes'],
  approval_withdrawn: ['withdrawnBy', 'decisionNumber'],
  arguments_edited: ['editedBy'],
  card_renewed: ['renewedBy'],
  expiry_near: ['expiresAtMs'],
  requeued: ['cause', 'counted', 'hold', 'delayMs', 'attempts'],
  reclaimed: ['cause', 'counted', 'delayMs', 'fencedWrite'],
  retried: ['retriedBy', 'serviceAccount', 'skippedMs'],
  released: ['releasedBy'],
  uncertain_write: ['toolCallId', 'toolName', 'effect', 'cause', 'target', 'ofAttempt'],
  uncertain_resolved: ['toolCallId', 'resolvedBy', 'finding'],
  cancelled: ['cancelledBy', 'serviceAccount', 'from', 'writeInFlight'],
  finished: ['status', 'reason', 'errorClass', 'failureClass', 'attempt', 'attempts', 'waitedMs', 'settledBy'],
};

/** The details of an event, the same at every privacy level. Booleans, numbers and texts as they are, lists of them in a row. */
export function eventDetails({ kind, payload }: Pick<RunEvent, 'kind' | 'payload'>): EventDetails {
  const { contentRedacted: _ours, ...plain } = filterPayload(payload, 'metadata');
  const known: JsonObject = { ...plain, ...(payload.contentRedacted === true ? { contentRedacted: true } : {}) };
  const isAsWanted = kind === 'llm' && known.fallback === undefined;
  return Object.fromEntries(
    TOLD[kind].flatMap((name): [string, string | number | boolean][] => {
      // Which model served is news only where another one was wanted.
      const told = isAsWanted && name === 'model' ? null : tellable(name, known[name]);
      return told === null ? [] : [[name, told]];
    }),
  );
}

/** A value in one piece; null = it has parts of its own, which nobody said may be told. */
function tellable(name: string, value: JsonValue | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.flatMap((item) => partOf(name, item) ?? []).join(', ');
  if (name === 'target') return isObject(value) && 'kind' in value ? describeTarget(value as WriteTarget) : null;
  return isObject(value) ? null : value;
}

function partOf(name: string, item: JsonValue): string | null {
  if (!isObject(item)) return Array.isArray(item) || item === null ? null : String(item);
  if (name === 'toolsDenied')
    return `${textOf(item.tool)}: ${textOf(item.reason)}${item.observed === true ? ' (observed)' : ''}`;
  return name === 'attempts' ? `${textOf(item.configuration)}: ${textOf(item.failureClass)}` : null;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

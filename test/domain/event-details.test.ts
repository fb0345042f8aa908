import { describe, expect, it } from 'vitest';
import { EVENT_KINDS, type EventKind } from '../../src-shared/vocabulary.ts';
import { eventDetails } from '../../src-main/domain/event-details.ts';
import type { JsonObject } from '../../src-main/domain/json-value.ts';

const SECRET = 'SECRETWORD';
/** Under every name that holds what was said, and under some that nobody ever used. */
const CONTENT = Object.fromEntries(
  [
    'messagesSent',
    'content',
    'thinking',
    'requestedToolCalls',
    'raw',
    'toolArguments',
    'toolResult',
    'toolArtifacts',
    'note',
    'arguments',
    'answers',
    'previews',
    'constructor',
    'whatever_comes_next',
  ].map((name) => [name, SECRET]),
);

/** What is told of each kind, of a payload in which every name that is told of any kind holds a word. */
const TOLD: Record<EventKind, string[]> = {
  request: ['messagesSentCount', 'toolSpecs', 'toolsDenied', 'trustZone', 'zoneCeiling'],
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
  ],
  assembled: [],
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
  tool_write: ['toolName', 'kind', 'completeness'],
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
  queued: ['configuration', 'mode', 'initiator', 'maxRounds'],
  attempt: ['segment', 'cause', 'requeueCount'],
  suspended: ['tools', 'questions', 'failedPreviews', 'previewRevision', 'previewDigest'],
  approval_bounced: ['decisionNumber', 'staleCallIndexes'],
  approval_withdrawn: ['withdrawnBy', 'decisionNumber'],
  arguments_edited: ['editedBy'],
  card_renewed: ['renewedBy'],
  expiry_near: ['expiresAtMs'],
  requeued: ['cause', 'counted', 'hold', 'delayMs', 'attempts'],
  reclaimed: ['cause', 'counted', 'delayMs', 'fencedWrite'],
  retried: ['retriedBy', 'serviceAccount', 'skippedMs'],
  released: ['releasedBy'],
  uncertain_write: ['toolCallId', 'toolName', 'effect', 'cause', 'ofAttempt'],
  uncertain_resolved: ['toolCallId', 'resolvedBy', 'finding'],
  cancelled: ['cancelledBy', 'serviceAccount', 'from', 'writeInFlight'],
  finished: ['status', 'reason', 'errorClass', 'failureClass', 'attempt', 'attempts', 'waitedMs', 'settledBy'],
};
const EVERY_NAME = [...new Set([...Object.values(TOLD).flat(), 'target'])];
const ANYTHING: JsonObject = { ...CONTENT, ...Object.fromEntries(EVERY_NAME.map((name) => [name, 'word'])) };
/** Sizes and names that are made of content, also of what a level stored whole. */
const DERIVED = ['messagesSentCount', 'contentLength', 'thinkingLength', 'toolResultLength', 'toolArtifactsCount'];

describe('what is told of an event', () => {
  it.each(EVENT_KINDS)('R-181 is, of %s, what is listed and nothing else', (kind) => {
    const details = eventDetails({ kind, payload: ANYTHING });
    expect(Object.keys(details)).toEqual(TOLD[kind]);
    expect(JSON.stringify(details)).not.toContain(SECRET);
    for (const value of Object.values(details)) expect(['string', 'number', 'boolean']).toContain(typeof value);
    for (const name of DERIVED.filter((each) => each in details)) expect(typeof details[name]).toBe('number');
  });

  it.each(EVENT_KINDS)('R-181 is nothing of %s that has parts of its own', (kind) => {
    const nested = Object.fromEntries(EVERY_NAME.map((name) => [name, { deep: SECRET, list: [SECRET] }]));
    const lists = Object.fromEntries(EVERY_NAME.map((name) => [name, [[SECRET], { deep: SECRET }, null]]));
    for (const payload of [nested, lists])
      expect(JSON.stringify(eventDetails({ kind, payload }))).not.toContain(SECRET);
    expect(eventDetails({ kind, payload: { ...nested, target: SECRET } })).not.toHaveProperty('target');
  });

  it('H-352 and H-353 say who decided and who answered, and why it was denied (LIM-36)', () => {
    const approval = { approved: false, decidedBy: 3, denialReason: 'skip', arguments: SECRET };
    expect(eventDetails({ kind: 'approval', payload: approval })).toEqual({
      approved: false,
      decidedBy: 3,
      denialReason: 'skip',
    });
    expect(eventDetails({ kind: 'input', payload: { submittedBy: 5, answers: { a: SECRET } } })).toEqual({
      submittedBy: 5,
    });
  });

  it('say what was written and which calls had moved (LIM-36)', () => {
    const target = { kind: 'record', database: 'site', table: 'pages', key: { id: 42 } } as const;
    expect(eventDetails({ kind: 'tool_write', payload: { target, kind: 'updated' } })).toEqual({
      kind: 'updated',
      target: 'site/pages#42',
    });
    expect(eventDetails({ kind: 'approval_bounced', payload: { staleCallIndexes: [0, 2] } })).toEqual({
      staleCallIndexes: '0, 2',
    });
  });

  it('R-142 and H-357 name each tool that was denied with its reason, and each model that was asked in vain', () => {
    const toolsDenied: JsonObject[] = [
      { tool: 'set_x', reason: 'toolDisabled' },
      { tool: 'read_x', reason: 'trustZone', observed: true },
    ];
    expect(eventDetails({ kind: 'request', payload: { toolsDenied } })).toMatchObject({
      toolsDenied: 'set_x: toolDisabled, read_x: trustZone (observed)',
    });
    const attempts = [{ configuration: 'local', failureClass: 'connection', durationMs: 3 }];
    expect(eventDetails({ kind: 'llm', payload: { attempts } })).toMatchObject({ attempts: 'local: connection' });
  });

  it('name the model only where another one was wanted', () => {
    expect(eventDetails({ kind: 'llm', payload: { model: 'small' } })).toEqual({});
    expect(eventDetails({ kind: 'llm', payload: { model: 'small', fallback: 'spare' } })).toEqual({
      fallback: 'spare',
      model: 'small',
    });
  });

  it('R-181 are the same whatever the level stored', () => {
    const payload = { content: 'four', toolResult: 'longer', requestedToolCalls: [{ name: 'set_x', arguments: {} }] };
    expect(eventDetails({ kind: 'llm', payload })).toEqual({ requestedToolNames: 'set_x', contentLength: 4 });
    const kept = { contentLength: 4, requestedToolNames: ['set_x'], contentRedacted: true };
    expect(eventDetails({ kind: 'llm', payload: kept })).toEqual({
      requestedToolNames: 'set_x',
      contentLength: 4,
      contentRedacted: true,
    });
  });
});

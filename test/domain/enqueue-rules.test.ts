import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src-main/domain/actor.ts';
import { enqueueRun, type EnqueueInput } from '../../src-main/domain/enqueue-rules.ts';
import type { RunRequest } from '../../src-main/domain/run.ts';
import { aConfiguration, answerOf, asActor, changeOf, PEOPLE, someFacts } from '../support/run-builders.ts';

const REQUEST: RunRequest = {
  v: 1,
  messages: [{ role: 'user', content: 'Check page 42' }],
  allowedToolNames: null,
  temperature: null,
  maxOutputTokens: null,
};

function input(changes: Partial<EnqueueInput> = {}): EnqueueInput {
  return {
    actor: asActor(PEOPLE.owner),
    id: 'run-1',
    label: 'a run',
    mode: 'queued',
    request: REQUEST,
    maxRounds: null,
    ...changes,
  };
}
const facts = (changes = {}) => someFacts({ run: null, operator: PEOPLE.owner, ...changes });

describe('opening a run', () => {
  it('R-19 stores a queued row with its initiator, its request and one event, and wakes', () => {
    const change = changeOf(enqueueRun(facts(), input()));
    expect(change).toMatchObject({
      kind: 'queued',
      from: 'new',
      wakes: true,
      request: REQUEST,
      create: {
        status: 'queued',
        segment: 'start',
        initiatorId: 3,
        startedAtMs: 0,
        queuedAtMs: 10_000,
        nextAttemptAtMs: 10_000,
        lastSequence: -1,
        fenceEffect: '',
      },
    });
    expect(change.events).toEqual([
      {
        kind: 'queued',
        round: 0,
        durationMs: 0,
        payload: { configuration: 'sample', mode: 'queued', initiator: 3, maxRounds: 5 },
      },
    ]);
  });

  it('R-19 keeps the prompt out of every plain part of the row and the event', () => {
    const { request, ...plain } = changeOf(enqueueRun(facts(), input()));
    expect(request).toBeDefined();
    expect(JSON.stringify(plain)).not.toContain('Check page 42');
  });

  it.each([
    ['R-5', 50, 20],
    ['X-11', 21, 20],
    ['R-5', 20, 20],
    ['R-5', 3, 3],
    ['X-11', 1, 1],
    ['R-6', null, 5],
  ])('%s gives a wish for %s rounds %i', (_id, maxRounds, granted) => {
    expect(changeOf(enqueueRun(facts(), input({ maxRounds }))).create?.maxRounds).toBe(granted);
  });

  it.each([0, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY])('X-11 refuses a limit of %s rounds', (maxRounds) => {
    expect(answerOf(enqueueRun(facts(), input({ maxRounds })))).toBe('invalid_request');
  });

  it.each([
    ['R-23', 'an infinite number', { ...REQUEST, temperature: Number.POSITIVE_INFINITY }],
    ['R-23', 'half a surrogate pair', { ...REQUEST, messages: [{ role: 'user', content: '\ud800' }] }],
    ['R-20', 'no message', { ...REQUEST, messages: [] }],
    ['R-20', 'only white space', { ...REQUEST, messages: [{ role: 'user', content: ' \n' }] }],
    ['R-20', 'no user message', { ...REQUEST, messages: [{ role: 'system', content: 'Help.' }] }],
  ] as [string, string, RunRequest][])('%s refuses a request with %s', (_id, _name, request) => {
    expect(answerOf(enqueueRun(facts(), input({ request })))).toBe('invalid_request');
  });

  it('R-20 names every problem of a request at once', () => {
    const result = enqueueRun(
      facts(),
      input({ maxRounds: 0, label: 'x'.repeat(201), request: { ...REQUEST, messages: [] } }),
    );
    expect(result).toMatchObject({ ok: false, refusal: { kind: 'invalid_request' } });
    if (!result.ok && result.refusal.kind === 'invalid_request') expect(result.refusal.problems).toHaveLength(3);
  });

  it.each([
    ['H-346', 'nobody', 'operator_unavailable', { operator: null }, { actor: ANONYMOUS }],
    [
      'X-16',
      'a disabled person',
      'operator_unavailable',
      { operator: PEOPLE.disabled },
      { actor: asActor(PEOPLE.disabled) },
    ],
    ['X-16', 'an unknown person', 'operator_unavailable', { operator: null }, {}],
    ['R-20', 'a person without configuration', 'configuration_gone', { configuration: null }, {}],
    [
      'R-77',
      'an inactive configuration',
      'configuration_inactive',
      { configuration: aConfiguration({}, { isActive: false }) },
      {},
    ],
  ])('%s refuses for %s', (_id, _who, kind, factChanges, inputChanges) => {
    expect(answerOf(enqueueRun(facts(factChanges), input(inputChanges)))).toBe(kind);
  });

  it('R-194 takes a run of a service account, which nobody owns', () => {
    const actor = { kind: 'service', name: 'bot', scopes: [] } as const;
    const change = changeOf(enqueueRun(facts({ operator: null }), input({ actor: { ...actor, scopes: [] } })));
    expect(change.create).toMatchObject({ initiatorId: 0, actor });
  });
});

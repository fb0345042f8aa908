import { describe, expect, it } from 'vitest';
import { decisionOutcome, targetOf, textOf } from '../../src-renderer/features/runs/event-facts.ts';
import type { RunEventView } from '../../src-shared/views/run-event-view.ts';

const event = (kind: RunEventView['kind'], payload: Record<string, unknown> = {}): RunEventView => ({
  sequence: 0,
  kind,
  round: 1,
  attempt: 1,
  atMs: 1,
  durationMs: 0,
  actorName: 'root',
  payload,
});
const approved = event('approval', { approved: true });
const denied = event('approval', { approved: false });
const written = event('tool_write', {
  target: { kind: 'record', database: 'site', table: 'pages', key: { id: 42 } },
});

describe('what became of the newest decision', () => {
  it.each([
    ['nothing, before there is one', [event('queued'), event('suspended')], null],
    ['an approval that is on its way', [approved, event('attempt')], { kind: 'approved', by: 'root' }],
    ['an approval that was carried out', [approved, written], { kind: 'written', by: 'root', target: 'site/pages#42' }],
    ['an approval that was taken back', [approved, event('approval_withdrawn')], { kind: 'withdrawn' }],
    ['H-143 an approval whose target had changed', [approved, event('approval_bounced')], { kind: 'bounced' }],
    ['a write that nobody can tell of', [approved, event('uncertain_write')], { kind: 'uncertain' }],
    [
      'an approval after which nothing was written',
      [approved, event('finished')],
      { kind: 'nothing_written', by: 'root' },
    ],
    ['a denial', [denied, event('finished')], { kind: 'denied', by: 'root' }],
    [
      'the second decision, not the first',
      [approved, event('approval_bounced'), denied],
      { kind: 'denied', by: 'root' },
    ],
    [
      'a denial, whatever an earlier turn wrote',
      [approved, written, event('suspended'), denied],
      { kind: 'denied', by: 'root' },
    ],
  ])('is %s', (_name, events, outcome) => {
    expect(decisionOutcome(events)).toEqual(outcome);
  });
});

describe('facts of a payload', () => {
  it('are empty where the privacy level left nothing or something else stands there', () => {
    expect(textOf(event('tool'), 'toolName')).toBe('');
    expect(textOf(event('tool', { toolName: { toString: 'x' } }), 'toolName')).toBe('');
    expect(targetOf(event('tool_write'))).toBe('');
    expect(targetOf(event('tool_write', { target: 'site' }))).toBe('');
  });
});

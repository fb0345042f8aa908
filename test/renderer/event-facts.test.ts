import { describe, expect, it } from 'vitest';
import { decisionOutcome, markedApprovals, textOf } from '../../src-renderer/features/runs/event-facts.ts';
import type { RunEventView } from '../../src-shared/views/run-event-view.ts';

const event = (kind: RunEventView['kind'], details: RunEventView['details'] = {}): RunEventView => ({
  sequence: 0,
  kind,
  round: 1,
  attempt: 1,
  atMs: 1,
  durationMs: 0,
  actorName: 'root',
  attribution: '',
  details,
});
const approved = event('approval', { approved: true });
const denied = event('approval', { approved: false });
const written = event('tool_write', { target: 'site/pages#42' });
const failed = event('tool', { toolName: 'set_x', toolIsError: true });

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
    [
      'H-169 an approved call that answered with an error',
      [approved, failed, event('llm'), event('finished')],
      { kind: 'failed', by: 'root', tool: 'set_x' },
    ],
    [
      'a write, whatever a later turn of reads did',
      [approved, written, event('llm'), failed],
      { kind: 'written', by: 'root', target: 'site/pages#42' },
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

describe('facts of an event', () => {
  it('are empty where the details say nothing, or something else', () => {
    expect(textOf(event('tool'), 'toolName')).toBe('');
    expect(textOf(event('tool', { toolName: 7 }), 'toolName')).toBe('');
  });

  it('H-184 mark no approval that came back or was taken back', () => {
    const second = event('approval', { approved: true });
    const events = [approved, event('approval_bounced'), denied, second, written];
    expect([...markedApprovals(events)]).toEqual([second]);
    expect([...markedApprovals([approved, event('approval_withdrawn')])]).toEqual([]);
  });
});

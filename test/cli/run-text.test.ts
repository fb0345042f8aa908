import { describe, expect, it } from 'vitest';
import { ATTRIBUTIONS } from '../../src-shared/vocabulary.ts';
import { attributionWords } from '../../src-main/cli/attribution-words.ts';
import { expiryWords } from '../../src-main/cli/expiry-words.ts';
import { eventLine, historyLines, runLines } from '../../src-main/cli/run-text.ts';
import { runView } from '../../src-main/ipc/run-view.ts';
import type { TimelineEntry } from '../../src-main/runtime/timeline.ts';
import { aRun } from '../support/run-builders.ts';

const entry = (kind: TimelineEntry['kind'], details: TimelineEntry['details'] = {}): TimelineEntry => ({
  sequence: 7,
  kind,
  round: 1,
  attempt: 1,
  atMs: 1,
  durationMs: 0,
  actorName: 'root',
  attribution: details.approved === true ? 'self' : '',
  details,
});
const approved = entry('approval', { approved: true, previewRevision: 2 });
const denied = entry('approval', { approved: false, previewRevision: 2 });
const failed = entry('tool', { toolName: 'set_x', outcome: 'failed', toolIsError: true });

/** The beginning of each line: what it is about. */
const about = (...entries: TimelineEntry[]): string[] =>
  historyLines(entries).map((line) => line.replace(/, \d{4}-.*?(;|$)/, '$1'));

describe('what people decided and what came of it, at a terminal', () => {
  it('H-184 and H-185 says that an approval came back, and does not let it look like one that released anything', () => {
    expect(about(approved, entry('approval_bounced', { staleCallIndexes: '0' }))).toEqual([
      'Decided    approved by root; it came to nothing',
      'Came back  the target had changed or could not be compared, nothing was written',
    ]);
    expect(about(approved, entry('approval_withdrawn'))).toEqual([
      'Decided    approved by root; it came to nothing',
      'Withdrawn  by root, nothing was written',
    ]);
  });

  it('H-169 says that an approved call failed, and of a denied one nothing but that', () => {
    expect(about(approved, failed, entry('llm'), failed)).toEqual([
      'Decided    approved by root; SELF-APPROVED',
      'Failed     set_x answered with an error',
    ]);
    const changed = entry('tool', { toolName: 'set_x', outcome: 'changed', toolIsError: true });
    expect(about(approved, changed).at(1)).toBe('Failed     set_x was not carried out (changed)');
    expect(about(denied, failed)).toEqual(['Decided    denied by root']);
  });

  it('LIM-36 says who answered and what was written', () => {
    expect(about(entry('input', { submittedBy: 3 }))).toEqual(['Answered   by root']);
    expect(about(entry('tool_write', { kind: 'updated', target: 'site/pages#42' }))).toEqual([
      'Written    updated site/pages#42',
    ]);
  });
});

describe('one event at a terminal', () => {
  it('R-181 is a line of words and figures, booleans as 1 and 0, with nothing that could move the cursor', () => {
    const line = eventLine({ ...approved, details: { approved: true, blind: false, configuration: 'a\u001b[2Jb' } });
    expect(line).toContain('by root (SELF-APPROVED) approved=1; blind=0; configuration=');
    expect(line).not.toContain('\u001b');
  });
});

describe('words of a list', () => {
  it('H-195 and H-196 are there for every way of approving, all different, and only one stands out', () => {
    const words = ATTRIBUTIONS.map(attributionWords);
    expect(new Set(words).size).toBe(ATTRIBUTIONS.length);
    expect(words.filter((word) => word === word.toUpperCase())).toEqual(['SELF-APPROVED']);
    expect(attributionWords('')).toBe('');
  });

  it.each([
    [0, ''],
    [10_999, 'expires in 10 s'],
    [3 * 3_600_000 + 59_000, 'expires in 3 h'],
    [2 * 86_400_000, 'expires in 2 d'],
    [-1, 'expires now'],
  ])('X-19 say when a run expires: %i ms from now', (leftMs, words) => {
    expect(expiryWords(leftMs === 0 ? 0 : 1_000_000 + leftMs, 1_000_000)).toBe(words);
  });
});

describe('what a run cost, at a terminal', () => {
  it.each([
    ['no answer had a cost', { costMicros: null, unpricedAnswers: 2 }, 'cost unknown'],
    ['every answer had one', { costMicros: 12_300, unpricedAnswers: 0 }, 'cost 0.0123'],
    ['it was free', { costMicros: 0, unpricedAnswers: 0 }, 'cost 0.0000'],
    [
      'one answer had none',
      { costMicros: 12_300, unpricedAnswers: 1 },
      'cost at least 0.0123 (answers without a known cost: 1)',
    ],
  ])('D-04 never looks exact when it is not: %s', (_name, cost, words) => {
    const spent = runLines(runView(aRun({ rounds: 2, ...cost })), null).find((line) => line.startsWith('Spent'));
    expect(spent?.endsWith(`tokens, ${words}`)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { listedRuns, neighbourOf, nextUndecided } from '../../src-renderer/features/inbox/inbox-resource.ts';
import type { InboxView } from '../../src-shared/views/inbox-view.ts';
import type { RunView } from '../../src-shared/views/run-view.ts';

const run = (runId: string): RunView => ({ runId }) as RunView;
const inbox = (waiting: string[], active: string[] = [], recent: string[] = []): InboxView =>
  ({ waiting: waiting.map(run), active: active.map(run), recent: recent.map(run) }) as InboxView;

describe('stepping through the list', () => {
  const runs = listedRuns(inbox(['a', 'b'], ['c'], ['d']));

  it.each([
    ['the next across groups', 'b', 1, 'c'],
    ['the one before', 'c', -1, 'b'],
    ['the last at the end', 'd', 1, 'd'],
    ['the first at the beginning', 'a', -1, 'a'],
    ['the first when none is open', null, 1, 'a'],
    ['the last backwards when none is open', null, -1, 'd'],
    ['the first when the open one is not listed', 'gone', 1, 'a'],
  ] as const)('opens %s', (_name, from, steps, to) => {
    expect(neighbourOf(runs, from, steps)?.runId).toBe(to);
  });

  it('opens nothing in an empty list', () => {
    expect(neighbourOf([], 'a', 1)).toBeNull();
  });
});

describe('the next run that needs a person', () => {
  it.each([
    ['the one after the open one', ['a', 'b', 'c'], 'b', 'c'],
    ['the first again after the last', ['a', 'b'], 'b', 'a'],
    ['the oldest when the open one is decided', ['a', 'b'], 'decided', 'a'],
    ['the oldest when none is open', ['a', 'b'], null, 'a'],
  ] as const)('is %s', (_name, waiting, open, next) => {
    expect(nextUndecided(inbox([...waiting]), open)?.runId).toBe(next);
  });

  it('is none when only the open one waits', () => {
    expect(nextUndecided(inbox(['a']), 'a')).toBeNull();
  });
});
